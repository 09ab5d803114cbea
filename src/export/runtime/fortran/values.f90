  logical function switched_(k, now)
    integer, intent(in) :: k
    logical, intent(in) :: now
    switched_ = merge(now, is_true_(sw_(k)), live_)
  end function

  real(dp) function frozen_(k, now)
    integer, intent(in) :: k
    real(dp), intent(in) :: now
    frozen_ = merge(now, sw_(k), live_)
  end function

  elemental real(dp) function number_of_(condition)
    logical, intent(in) :: condition
    number_of_ = merge(1.0_dp, 0.0_dp, condition)
  end function

  elemental logical function is_true_(x)
    real(dp), intent(in) :: x
    is_true_ = x < 0 .or. x > 0
  end function

  elemental logical function same_(x, y)
    real(dp), intent(in) :: x, y
    same_ = x <= y .and. x >= y
  end function

  elemental real(dp) function sign_of_(x)
    real(dp), intent(in) :: x
    sign_of_ = x
    if (x > 0) sign_of_ = 1
    if (x < 0) sign_of_ = -1
  end function

  elemental real(dp) function smaller_(x, y)
    real(dp), intent(in) :: x, y
    smaller_ = merge(x, y, ieee_is_nan(x) .or. x < y)
  end function

  elemental real(dp) function larger_(x, y)
    real(dp), intent(in) :: x, y
    larger_ = merge(x, y, ieee_is_nan(x) .or. x > y)
  end function

  elemental real(dp) function remainder_of_(x, y)
    real(dp), intent(in) :: x, y
    remainder_of_ = x - aint(x / y) * y
  end function

  ! aint(x), less 1 where that is above x: of any size, unlike the intrinsic floor
  elemental real(dp) function floor_of_(x)
    real(dp), intent(in) :: x
    floor_of_ = aint(x)
    if (floor_of_ > x) floor_of_ = floor_of_ - 1
  end function

  elemental real(dp) function modulo_of_(x, y)
    real(dp), intent(in) :: x, y
    modulo_of_ = x - floor_of_(x / y) * y
  end function

  elemental logical function same_instant_(a, b)
    real(dp), intent(in) :: a, b
    same_instant_ = abs(a - b) <= 1e-13_dp * larger_(abs(a), abs(b))
  end function
