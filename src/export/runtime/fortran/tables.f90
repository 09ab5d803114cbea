  ! ---- tables: piecewise linear, or piecewise cubic with slopes of several kinds. Pairs (value, derivative in one
  ! direction) go through the formulas.

  function product_of_(a, b) result(c)
    real(dp), intent(in) :: a(2), b(2)
    real(dp) :: c(2)
    c = [a(1) * b(1), a(1) * b(2) + a(2) * b(1)]
  end function

  function quotient_of_(a, b) result(c)
    real(dp), intent(in) :: a(2), b(2)
    real(dp) :: c(2)
    c(1) = a(1) / b(1)
    c(2) = (a(2) - c(1) * b(2)) / b(1)
  end function

  function inner_slope_(h0, h1, d0, d1) result(slope)
    real(dp), intent(in) :: h0, h1, d0(2), d1(2)
    real(dp) :: slope(2), w0, w1
    slope = 0
    if (.not. d0(1) * d1(1) > 0) return
    w0 = 2 * h1 + h0
    w1 = h1 + 2 * h0
    slope = quotient_of_([w0 + w1, 0.0_dp], quotient_of_([w0, 0.0_dp], d0) + quotient_of_([w1, 0.0_dp], d1))
  end function

  function end_slope_(h0, h1, d0, d1) result(slope)
    real(dp), intent(in) :: h0, h1, d0(2), d1(2)
    real(dp) :: slope(2)
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if (.not. slope(1) * d0(1) > 0) then
      slope = 0
    else if (d0(1) * d1(1) <= 0 .and. abs(slope(1)) > 3 * abs(d0(1))) then
      slope = 3 * d0
    end if
  end function

  function magnitude_(a) result(b)
    real(dp), intent(in) :: a(2)
    real(dp) :: b(2)
    b = a
    if (a(1) < 0) b = -a
  end function

  function steffen_slope_(h0, h1, d0, d1) result(slope)
    real(dp), intent(in) :: h0, h1, d0(2), d1(2)
    real(dp) :: slope(2), flatter(2)
    slope = 0
    if (.not. d0(1) * d1(1) > 0) return
    slope = (h1 * d0 + h0 * d1) / (h0 + h1)
    flatter = d1
    if (abs(d0(1)) < abs(d1(1))) flatter = d0
    if (abs(slope(1)) > 2 * abs(flatter(1))) slope = 2 * flatter
  end function

  function akima_weight_(a, b, modified) result(weight)
    real(dp), intent(in) :: a(2), b(2)
    logical, intent(in) :: modified
    real(dp) :: weight(2)
    weight = magnitude_(b - a)
    if (modified) weight = weight + 0.5_dp * magnitude_(a + b)
  end function

  ! The chord from point k to the next; beyond the ends they go on as a parabola does.
  recursive function chord_(x, y, k) result(chord)
    real(dp), intent(in) :: x(:), y(:, :)
    integer, intent(in) :: k
    real(dp) :: chord(2)
    integer :: most
    most = size(x) - 1
    if (k < 1) then
      chord = (2 - k) * chord_(x, y, 1) - (1 - k) * chord_(x, y, 2)
    else if (k > most) then
      chord = (k - most + 1) * chord_(x, y, most) - (k - most) * chord_(x, y, most - 1)
    else
      chord = (y(:, k + 1) - y(:, k)) / (x(k + 1) - x(k))
    end if
  end function

  ! The slope at x(i) of the cubic through three or more points. Kinds: 1 smooth, 2 monotone, 3 Steffen, 4 Akima,
  ! 5 modified Akima
  function slope_at_(kind, x, y, i) result(slope)
    integer, intent(in) :: kind, i
    real(dp), intent(in) :: x(:), y(:, :)
    real(dp) :: slope(2), before(2), after(2)
    integer :: n
    n = size(x)
    if (kind >= 4) then
      before = akima_weight_(chord_(x, y, i), chord_(x, y, i + 1), kind == 5)
      after = akima_weight_(chord_(x, y, i - 2), chord_(x, y, i - 1), kind == 5)
      if (before(1) + after(1) > 0) then
        slope = quotient_of_(product_of_(before, chord_(x, y, i - 1)) + product_of_(after, chord_(x, y, i)), &
                             before + after)
      else if (kind == 5) then
        slope = 0
      else
        slope = 0.5_dp * (chord_(x, y, i - 1) + chord_(x, y, i))
      end if
    else if (kind == 1 .and. i == 1) then
      slope = end_slope_(x(2) - x(1), x(3) - x(2), chord_(x, y, 1), chord_(x, y, 2))
    else if (kind == 1 .and. i == n) then
      slope = end_slope_(x(n) - x(n - 1), x(n - 1) - x(n - 2), chord_(x, y, n - 1), chord_(x, y, n - 2))
    else if (i == 1) then
      slope = chord_(x, y, 1)
    else if (i == n) then
      slope = chord_(x, y, n - 1)
    else if (kind == 3) then
      slope = steffen_slope_(x(i) - x(i - 1), x(i + 1) - x(i), chord_(x, y, i - 1), chord_(x, y, i))
    else
      slope = inner_slope_(x(i) - x(i - 1), x(i + 1) - x(i), chord_(x, y, i - 1), chord_(x, y, i))
    end if
  end function

  ! The curve through (x(i), y(:, i)) at `at`, and its second derivative.
  subroutine along_(x, y, at, kind, outside, name, result, second)
    real(dp), intent(in) :: x(:), y(:, :), at(2)
    integer, intent(in) :: kind, outside
    character(len=*), intent(in) :: name
    real(dp), intent(out) :: result(2), second
    real(dp) :: h, chord(2), offset(2), slope0(2), slope1(2), c(2), d(2)
    integer :: n, low, high, middle
    logical :: below, above

    n = size(x)
    second = 0
    below = at(1) < x(1)
    above = at(1) > x(n)
    if ((below .or. above) .and. outside == 2) problem_ = name
    result = y(:, 1)
    if (n == 1 .or. (below .and. outside /= 1)) return
    result = y(:, n)
    if (above .and. outside /= 1) return
    low = 1
    high = n
    do while (high - low > 1)
      middle = low + ishft(high - low, -1)
      if (x(middle) <= at(1)) then
        low = middle
      else
        high = middle
      end if
    end do
    h = x(low + 1) - x(low)
    chord = (y(:, low + 1) - y(:, low)) / h
    offset = at - [x(low), 0.0_dp]
    result = y(:, low) + product_of_(chord, offset)
    if (kind == 0 .or. n == 2) return
    slope0 = slope_at_(kind, x, y, low)
    slope1 = slope_at_(kind, x, y, low + 1)
    if (below) then
      result = y(:, low) + product_of_(slope0, offset)
    else if (above) then
      result = y(:, low + 1) + product_of_(slope1, at - [x(low + 1), 0.0_dp])
    else
      c = (3 * chord - 2 * slope0 - slope1) / h
      d = (slope0 + slope1 - 2 * chord) / h**2
      second = 2 * c(1) + 6 * d(1) * offset(1)
      result = y(:, low) + product_of_(offset, slope0 + product_of_(offset, c + product_of_(offset, d)))
    end if
  end subroutine

  ! The value, or its derivative dx times by x and dy times by y. Table k has its numbers from the places given.
  real(dp) function table_value_(k, x, y, dx, dy)
    integer, intent(in) :: k, dx, dy
    real(dp), intent(in) :: x, y
    real(dp) :: row(2, table_nx_(k)), column(2, max(1, table_ny_(k))), result(2), second
    integer :: i, j, nx, ny

    nx = table_nx_(k)
    ny = table_ny_(k)
    table_value_ = ieee_value(x, ieee_quiet_nan)
    if (ieee_is_nan(x) .or. (ny > 0 .and. ieee_is_nan(y))) return
    row = 0
    column = 0
    do i = 1, nx
      if (ny == 0) then
        row(1, i) = table_data_(table_first_(k) + nx + i - 1)
        cycle
      end if
      do j = 1, ny
        column(1, j) = table_data_(table_first_(k) + nx + ny + (i - 1) * ny + j - 1)
      end do
      call along_(table_data_(table_first_(k) + nx:table_first_(k) + nx + ny - 1), column, [y, real(dy, dp)], &
                  table_kind_(k), table_outside_(k), trim(table_name_(k)), row(:, i), second)
    end do
    call along_(table_data_(table_first_(k):table_first_(k) + nx - 1), row, [x, real(min(dx, 1), dp)], &
                table_kind_(k), table_outside_(k), trim(table_name_(k)), result, second)
    table_value_ = result(2)
    if (dx + dy == 0) table_value_ = result(1)
    if (dx == 2) table_value_ = second
  end function
