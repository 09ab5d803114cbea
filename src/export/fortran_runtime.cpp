#include "export/fortran_runtime.h"

namespace cutset::fortran_runtime {

const char* const variables = R"CODE(
  real(dp), target :: v(0:nv_ - 1) = 0            ! every quantity of the model: v(name)
  real(dp) :: sw_(max(1, nswitch_)) = 0, sw_before_(max(1, nswitch_)) = 0  ! relations, sign, int between events
  real(dp) :: crossing_(max(1, nswitch_)) = 0, instant_(max(1, nswitch_)) = 0, slope_(max(1, nswitch_)) = 0
  logical :: now_equal_(max(1, nswitch_)) = .false., muted_(max(1, nswitch_)) = .false.
  integer :: kinks_(max(1, nswitch_)) = 0, recent_kinks_(max(1, nswitch_)) = 0
  real(dp) :: kinks_since_(max(1, nswitch_)) = 0
  real(dp) :: ticking_(max(1, nclock_)) = 0, clock_first_(max(1, nclock_)) = 0, clock_period_(max(1, nclock_)) = 0
  real(dp) :: clock_ticks_(max(1, nclock_)) = 0
  real(dp) :: condition_(max(1, nwhen_)) = 0, valid_(max(1, nvalid_)) = 0, value_(max(1, nvalue_)) = 0
  logical :: held_(max(1, nwhen_)) = .false., left_(max(1, nvalid_)) = .false.
  real(dp) :: delay_argument_(max(1, ndelay_)) = 0, delay_duration_(max(1, ndelay_)) = 0
  real(dp) :: selection_(max(1, nselection_)) = 0, frequency_(max(1, nfrequency_)) = 0
  real(dp) :: residual_(max(1, most_torn_)) = 0, jacobian_(max(1, njacobian_)) = 0
  logical :: given_(max(1, nparameter_)) = .false.
  integer :: zero_ = 0           ! lets compilers not complain about loops over nothing
  logical :: live_ = .false.     ! relations are evaluated anew; else they have their stored values
  logical :: starting_ = .false.
  character(len=200) :: problem_ = ' '  ! of the last evaluation that failed

  real(dp) :: x_(max(1, nx_)) = 0, x_new_(max(1, nx_)) = 0, x_error_(max(1, nx_)) = 0, dense_(5, max(1, nx_)) = 0
  real(dp) :: rate_(7, max(1, nx_)) = 0, absolute_(max(1, nx_)) = 0, tracked_before_(max(1, ntracked_)) = 0
  real(dp) :: rate_matrix_(max(1, nx_), max(1, nx_)) = 0
  real(dp) :: local_tolerance_ = 0, max_step_ = 0
  real(dp) :: start_time_ = default_start_, stop_time_ = default_stop_, output_step_ = default_step_
  real(dp) :: tolerance_ = default_tolerance_
  integer :: points_ = default_points_, next_output_ = 0, out_ = 6
  integer :: stiffness_ = 0, calm_ = 0, fired_ = 1, solver_ = 0  ! 0 auto, 1 dopri, 2 rodas
  logical :: first_same_ = .false., terminated_ = .false., use_rodas_ = .false.
)CODE";

const char* const helpers = R"CODE(
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

  elemental logical function same_instant_(a, b)
    real(dp), intent(in) :: a, b
    same_instant_ = abs(a - b) <= 1e-13_dp * larger_(abs(a), abs(b))
  end function

  ! Linear equations: LU with row pivoting, rows scaled.
  subroutine factor_(n, a, pivot, good)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(n, n)
    integer, intent(out) :: pivot(n)
    logical, intent(out) :: good
    real(dp) :: scale(n), row(n), s
    integer :: i, k, best

    good = .false.
    pivot = 1
    do i = 1, n
      s = maxval(abs(a(i, :)))
      if (.not. s > 0 .or. s > huge(s)) return
      scale(i) = 1 / s
    end do
    do k = 1, n
      best = k
      do i = k + 1, n
        if (abs(a(i, k)) * scale(i) > abs(a(best, k)) * scale(best)) best = i
      end do
      if (.not. abs(a(best, k)) * scale(best) > 1e-15_dp) return
      pivot(k) = best
      if (best /= k) then
        row = a(k, :)
        a(k, :) = a(best, :)
        a(best, :) = row
        s = scale(k)
        scale(k) = scale(best)
        scale(best) = s
      end if
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
        if (is_true_(a(i, k))) a(i, k + 1:) = a(i, k + 1:) - a(i, k) * a(k, k + 1:)
      end do
    end do
    good = .true.
  end subroutine

  subroutine solve_factored_(n, a, pivot, b)
    integer, intent(in) :: n, pivot(n)
    real(dp), intent(in) :: a(n, n)
    real(dp), intent(inout) :: b(n)
    real(dp) :: s
    integer :: i

    do i = 1, n
      s = b(pivot(i))
      b(pivot(i)) = b(i)
      b(i) = s
    end do
    do i = 2, n
      b(i) = b(i) - dot_product(a(i, :i - 1), b(:i - 1))
    end do
    do i = n, 1, -1
      b(i) = (b(i) - dot_product(a(i, i + 1:), b(i + 1:))) / a(i, i)
    end do
  end subroutine
)CODE";

const char* const tables = R"CODE(
  ! ---- tables: piecewise linear, or piecewise cubic that is monotone where the data are. Pairs (value, derivative in
  ! one direction) go through the formulas.

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

  ! The curve through (x(i), y(:, i)) at `at`, and its second derivative.
  subroutine along_(x, y, at, cubic, outside, name, result, second)
    real(dp), intent(in) :: x(:), y(:, :), at(2)
    logical, intent(in) :: cubic
    integer, intent(in) :: outside
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
    if (.not. cubic .or. n == 2) return
    if (low > 1) then
      slope0 = inner_slope_(x(low) - x(low - 1), h, (y(:, low) - y(:, low - 1)) / (x(low) - x(low - 1)), chord)
    else
      slope0 = end_slope_(h, x(3) - x(2), chord, (y(:, 3) - y(:, 2)) / (x(3) - x(2)))
    end if
    if (low + 1 < n) then
      slope1 = inner_slope_(h, x(low + 2) - x(low + 1), chord, &
                            (y(:, low + 2) - y(:, low + 1)) / (x(low + 2) - x(low + 1)))
    else
      slope1 = end_slope_(h, x(low) - x(low - 1), chord, (y(:, low) - y(:, low - 1)) / (x(low) - x(low - 1)))
    end if
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
                  table_cubic_(k) == 1, table_outside_(k), trim(table_name_(k)), row(:, i), second)
    end do
    call along_(table_data_(table_first_(k):table_first_(k) + nx - 1), row, [x, real(min(dx, 1), dp)], &
                table_cubic_(k) == 1, table_outside_(k), trim(table_name_(k)), result, second)
    table_value_ = result(2)
    if (dx + dy == 0) table_value_ = result(1)
    if (dx == 2) table_value_ = second
  end function
)CODE";

const char* const delays = R"CODE(
  ! ---- delay lines: the past of their arguments

  subroutine record_(k, t, y)
    integer, intent(in) :: k
    real(dp), intent(in) :: t, y
    real(dp), allocatable :: longer(:, :)
    real(dp) :: before
    integer :: n

    associate (l => line_(k))
      if (.not. allocated(l%past)) allocate (l%past(2, 1024), l%jumps(0))
      do while (l%n > 0)
        if (l%past(1, l%n) <= t) exit
        l%n = l%n - 1
      end do
      n = l%n
      if (n > 0) then
        if (same_(l%past(1, n), t)) then
          before = l%past(2, n)
          if (same_(before, y)) return
          if (n > 1) then
            if (same_(l%past(1, n - 1), t)) then
              l%past(2, n) = y
              return
            end if
          end if
          if (abs(y - before) > 1e-9_dp * larger_(abs(y), abs(before))) l%jumps = [l%jumps, t]
        end if
      end if
      if (n == size(l%past, 2)) then
        allocate (longer(2, 2 * n))
        longer(:, :n) = l%past
        call move_alloc(longer, l%past)
      end if
      l%n = n + 1
      l%past(:, n + 1) = [t, y]
    end associate
  end subroutine

  ! The next point further left (step = -1) or right that is far enough; 0: none.
  integer function next_point_(k, at, step, apart)
    integer, intent(in) :: k, at, step
    real(dp), intent(in) :: apart
    integer :: i

    next_point_ = 0
    i = at
    do while (i + step >= 1 .and. i + step <= line_(k)%n)
      i = i + step
      if (same_(line_(k)%past(1, i), line_(k)%past(1, i - step))) return
      if (abs(line_(k)%past(1, i) - line_(k)%past(1, at)) >= apart) then
        next_point_ = i
        return
      end if
    end do
  end function

  real(dp) function delayed_(k, time)
    integer, intent(in) :: k
    real(dp), intent(in) :: time
    real(dp) :: t, weight, apart
    integer :: low, high, middle, i, j, a, b, count, from, to, on_left, on_right, points(6)

    delayed_ = 0
    associate (l => line_(k))
      if (l%n == 0) return
      t = time
      if (size(l%jumps) > 0) then
        if (t >= l%jumps(1)) then
          i = 1
          do while (l%past(1, i) < l%jumps(1))
            i = i + 1
          end do
          delayed_ = l%past(2, i)
          return
        end if
      end if
      t = larger_(t, l%passed)
      low = 0
      high = l%n + 1
      do while (high - low > 1)
        middle = low + ishft(high - low, -1)
        if (l%past(1, middle) <= t) then
          low = middle
        else
          high = middle
        end if
      end do
      delayed_ = l%past(2, max(low, 1))
      if (low == 0 .or. high > l%n) return
      if (same_(t, l%past(1, low)) .or. same_(l%past(1, low), l%past(1, high))) return
      apart = 1e-3_dp * (l%past(1, high) - l%past(1, low))
      points = low
      points(2) = high
      from = low
      to = high
      on_left = 0
      on_right = 0
      count = 2
      do while (count < 6)
        a = next_point_(k, from, -1, apart)
        b = next_point_(k, to, 1, apart)
        if (a == 0 .and. b == 0) exit
        count = count + 1
        if (a > 0 .and. (b == 0 .or. on_left <= on_right)) then
          from = a
          points(count) = a
          on_left = on_left + 1
        else
          to = b
          points(count) = b
          on_right = on_right + 1
        end if
      end do
      delayed_ = 0
      do i = 1, count  ! Lagrange
        weight = l%past(2, points(i))
        do j = 1, count
          if (j /= i) weight = weight * (t - l%past(1, points(j))) / (l%past(1, points(i)) - l%past(1, points(j)))
        end do
        delayed_ = delayed_ + weight
      end do
    end associate
  end function
)CODE";

const char* const loops = R"CODE(
  ! ---- loops: linear ones by LU, others by Newton's method with damping

  logical function residuals_finite_(k, n)
    integer, intent(in) :: k, n
    call residuals_(k)
    residuals_finite_ = all(ieee_is_finite(residual_(:n)))
  end function

  ! What the residuals are computed from.
  real(dp) function loop_input_value_(i)
    integer, intent(in) :: i
    if (loop_input_(i) < 0) then
      loop_input_value_ = sw_(-loop_input_(i))
    else
      loop_input_value_ = v(loop_input_(i))
    end if
  end function

  ! The unknowns are those found for the same inputs: solving again would only move them by rounding.
  logical function still_solved_(k)
    integer, intent(in) :: k
    integer :: i
    still_solved_ = loop_solved_(k) == 1 .and. .not. live_
    do i = loop_first_(k), loop_first_(k) + loop_size_(k) - 1
      if (still_solved_) still_solved_ = same_(v(loop_z_(i)), loop_found_(i))
    end do
    do i = loop_input_first_(k), loop_input_first_(k) + loop_inputs_(k) - 1
      if (still_solved_) still_solved_ = same_(loop_input_value_(i), loop_found_for_(i))
    end do
  end function

  subroutine solve_(k, bad)
    integer, intent(in) :: k
    logical, intent(out) :: bad
    integer :: first, last, i

    bad = .false.
    if (still_solved_(k)) then
      call residuals_(k)
      return
    end if
    loop_solved_(k) = 0
    first = loop_first_(k)
    last = first + loop_size_(k) - 1
    where (.not. ieee_is_finite(v(loop_z_(first:last)))) v(loop_z_(first:last)) = 0
    call solve_anew_(k, loop_size_(k), loop_z_(first:last), loop_nominal_(first:last), loop_minimum_(first:last), &
                     loop_maximum_(first:last), bad)
    if (bad) problem_ = loop_name_(k)
    if (bad .or. live_ .or. loop_inputs_(k) < 0) return
    loop_found_(first:last) = v(loop_z_(first:last))
    do i = loop_input_first_(k), loop_input_first_(k) + loop_inputs_(k) - 1
      loop_found_for_(i) = loop_input_value_(i)
    end do
    loop_solved_(k) = 1
  end subroutine

  subroutine solve_anew_(k, n, z, nominal, minimum, maximum, bad)
    integer, intent(in) :: k, n, z(n)
    real(dp), intent(in) :: nominal(n), minimum(n), maximum(n)
    logical, intent(out) :: bad
    real(dp) :: matrix(n, n), partial(n, n), unit(n), row_scale(n), guess(n), part(n), size_of_step
    integer :: pivot(n), attempt, found, i

    if (loop_linear_(k) == 1) then
      call solve_linear
      return
    end if
    guess = v(z)
    if (.not. residuals_finite_(k, n)) v(z) = nominal
    call newton(found)
    ! Again from a little beside the point where it was caught, or beside the guess: the last solution may be at or
    ! near a singular point (i*|i| = u at u = 0) that it cannot leave.
    do attempt = merge(0, 1, found < 0), 2
      if (found == 1) exit
      select case (attempt)
      case (0)
        part = [(0.6180339887498949_dp * i, i = 1, n)]
        part = part - floor(part) - 0.5_dp  ! no two alike
        where (.not. ieee_is_finite(v(z))) v(z) = guess
        call move(v(z), 0.02_dp, -part * (abs(v(z)) + nominal))
      case (1)
        call move(guess, 1e-3_dp, -nominal)
      case default
        call move(guess, 1e-3_dp, nominal)
      end select
      call newton(found)
    end do
    bad = found /= 1
    if (bad) v(z) = guess
  contains
    subroutine move(from, lambda, step)
      real(dp), intent(in) :: from(n), lambda, step(n)
      v(z) = smaller_(larger_(from - lambda * step, minimum), maximum)
    end subroutine

    ! New partial derivatives, units of the unknowns and rows; 0: singular, -1: not finite.
    integer function linearise()
      real(dp) :: largest
      integer :: j
      logical :: good

      jacobian_(:n * n) = 0
      call partials_(k)
      partial = transpose(reshape(jacobian_(:n * n), [n, n]))
      matrix = partial
      unit = abs(v(z)) + nominal
      linearise = -1
      if (.not. all(ieee_is_finite(matrix))) return
      do j = 1, n
        largest = maxval(abs(partial(j, :)) * unit)
        if (.not. largest > 0) cycle
        if (ieee_is_finite(largest) .and. ieee_is_finite(1 / largest)) row_scale(j) = 1 / largest
      end do
      call factor_(n, matrix, pivot, good)
      linearise = merge(1, 0, good)
    end function

    subroutine newton_step(step, size_of_it, good)
      real(dp), intent(out) :: step(n), size_of_it
      logical, intent(out) :: good
      step = residual_(:n)
      call solve_factored_(n, matrix, pivot, step)
      size_of_it = maxval(abs(step) / unit)
      good = ieee_is_finite(size_of_it) .and. all(ieee_is_finite(step))
    end subroutine

    ! Where the partial derivatives are singular: the shortest of the steps that bring the residuals nearest to zero,
    ! by singular values (Jacobi's rotations of columns), taken as far as it makes them smaller.
    subroutine least_squares_step(from, good)
      real(dp), intent(in) :: from(n)
      logical, intent(out) :: good
      real(dp) :: u(n, n), w(n, n), step(n), f(n), column(n), squares(n), before, slope, lambda, a, b, c, t, cosine
      integer :: p, q, sweep
      logical :: turned

      good = .false.
      if (n > 300) return
      f = row_scale * residual_(:n)
      before = sum(f**2)
      w = 0
      do p = 1, n
        u(:, p) = row_scale * partial(:, p) * unit(p)
        w(p, p) = 1
      end do
      do sweep = 1, 40
        turned = .false.
        do p = 1, n - 1
          do q = p + 1, n
            a = sum(u(:, p)**2)
            b = sum(u(:, q)**2)
            c = sum(u(:, p) * u(:, q))
            if (.not. abs(c) > 1e-15_dp * sqrt(a) * sqrt(b)) cycle
            turned = .true.
            t = (b - a) / (2 * c)
            t = merge(-1.0_dp, 1.0_dp, t < 0) / (abs(t) + sqrt(1 + t * t))
            cosine = 1 / sqrt(1 + t * t)
            column = u(:, p)
            u(:, p) = cosine * (column - t * u(:, q))
            u(:, q) = cosine * (u(:, q) + t * column)
            column = w(:, p)
            w(:, p) = cosine * (column - t * w(:, q))
            w(:, q) = cosine * (w(:, q) + t * column)
          end do
        end do
        if (.not. turned) exit
      end do
      squares = sum(u**2, dim=1)
      step = 0
      slope = 0
      do p = 1, n
        if (.not. squares(p) > 1e-24_dp * maxval(squares)) cycle
        c = sum(u(:, p) * f)
        step = step + unit * w(:, p) * c / squares(p)
        slope = slope - 2 * c * c / squares(p)
      end do
      if (.not. slope < -1e-20_dp * before) return
      lambda = 1
      do while (lambda > 1e-16_dp)
        call move(from, lambda, step)
        if (residuals_finite_(k, n)) then
          good = sum((row_scale * residual_(:n))**2) <= before + 1e-4_dp * lambda * slope
          if (good) return
        end if
        lambda = lambda / 2
      end do
    end subroutine

    ! 1: solved; 0: not; -1: caught where the partial derivatives are singular.
    subroutine newton(found)
      integer, intent(out) :: found
      real(dp) :: step(n), next(n), before(n), last, after, lambda
      integer :: iteration, regular
      logical :: good, exact

      found = 0
      last = huge(last)
      row_scale = 1
      if (.not. residuals_finite_(k, n)) return
      do iteration = 1, 200
        regular = linearise()
        if (regular < 0) return
        exact = all(abs(row_scale * residual_(:n)) <= 1.4e-14_dp)  ! the rounding of their own terms
        before = v(z)
        good = regular == 1
        if (good) call newton_step(step, size_of_step, good)
        if (.not. good) then
          found = 1
          if (exact) return
          call least_squares_step(before, good)
          found = -1
          if (.not. good) return
          found = 0
          last = huge(last)
          cycle
        end if
        if (size_of_step <= 1e-13_dp .or. (size_of_step <= 1e-9_dp .and. size_of_step > 0.3_dp * last)) then
          found = 1
          v(z) = v(z) - step
          if (residuals_finite_(k, n)) return
          v(z) = before
          call residuals_(k)
          return
        end if
        lambda = 1
        do
          call move(before, lambda, step)
          if (lambda < 1e-10_dp) exit
          if (residuals_finite_(k, n)) then
            if (size_of_step < 1e-6_dp) exit
            call newton_step(next, after, good)
            if (good .and. after <= (1 - lambda / 4) * size_of_step) exit
          end if
          lambda = lambda / 2
        end do
        if (lambda < 1e-10_dp .or. .not. any(is_true_(v(z) - before))) then
          if (.not. exact) return
          v(z) = before
          if (residuals_finite_(k, n)) found = 1
          return
        end if
        last = size_of_step
      end do
    end subroutine

    ! From the residuals at zero, so that equal inputs give equal solutions; one correction removes rounding. While
    ! relations are evaluated anew they count as they are.
    subroutine solve_linear
      real(dp) :: step(n), terms(n)
      logical :: good

      bad = .true.
      row_scale = 1
      if (.not. live_) v(z) = 0
      if (.not. residuals_finite_(k, n)) then
        v(z) = 0
        if (.not. residuals_finite_(k, n)) return
      end if
      terms = abs(residual_(:n))
      good = linearise() == 1
      if (good) call newton_step(step, size_of_step, good)
      if (.not. good) return
      v(z) = v(z) - step
      call residuals_(k)
      terms = terms + matmul(abs(partial), abs(v(z)))
      if (.not. all(abs(residual_(:n)) <= 1.8e-15_dp * terms)) then
        call newton_step(step, size_of_step, good)
        if (.not. good) return
        v(z) = v(z) - step
        call residuals_(k)
      end if
      bad = .false.
    end subroutine
  end subroutine
)CODE";

}  // namespace cutset::fortran_runtime
