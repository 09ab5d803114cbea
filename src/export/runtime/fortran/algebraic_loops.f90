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
    open_directions_(k) = 0
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

    guess = v(z)
    if (loop_linear_(k) == 1 .or. (loop_linear_(k) == 2 .and. .not. live_)) then
      call solve_linear
      if (bad .and. open_allowed_ .and. .not. live_) call solve_open
      if (.not. bad .and. loop_linear_(k) == 2) bad = any(v(z) < minimum .or. v(z) > maximum)
      if (.not. bad .or. loop_linear_(k) == 1) return
      v(z) = guess
    end if
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

    ! Whether a step that is short against the nominal values is so against the unknowns too, or the residuals are the
    ! rounding of the terms that the unknowns make in them: they may be far smaller than their nominal values.
    logical function is_determined(step)
      real(dp), intent(in) :: step(n)
      is_determined = all(abs(step) <= 1e-12_dp * abs(v(z)))
      if (.not. is_determined) is_determined = all(abs(residual_(:n)) <= 3.6e-15_dp * matmul(abs(partial), abs(v(z))))
    end function

    ! Singular values of the partial derivatives, with rows and unknowns scaled, by Jacobi's rotations of columns: those
    ! of u become orthogonal, w holds the directions of the unknowns.
    subroutine decompose(u, w)
      real(dp), intent(out) :: u(n, n), w(n, n)
      real(dp) :: column(n), a, b, c, t, cosine
      integer :: p, q, sweep
      logical :: turned

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
    end subroutine

    ! After that: the shortest of the steps that bring the residuals nearest to zero, the slope of their sum of squares,
    ! and which of the rotated unknowns are open.
    subroutine shortest_step(u, w, step, slope, is_open)
      real(dp), intent(in) :: u(n, n), w(n, n)
      real(dp), intent(out) :: step(n), slope
      logical, intent(out) :: is_open(n)
      real(dp) :: squares(n), c
      integer :: p

      squares = sum(u**2, dim=1)
      is_open = .not. squares > 1e-24_dp * maxval(squares)
      step = 0
      slope = 0
      do p = 1, n
        if (is_open(p)) cycle
        c = sum(u(:, p) * row_scale * residual_(:n))
        step = step + unit * w(:, p) * c / squares(p)
        slope = slope - 2 * c * c / squares(p)
      end do
    end subroutine

    ! Where the partial derivatives are singular: that step, taken as far as it makes the residuals smaller.
    subroutine least_squares_step(from, good)
      real(dp), intent(in) :: from(n)
      logical, intent(out) :: good
      real(dp) :: u(n, n), w(n, n), step(n), before, slope, lambda
      logical :: is_open(n)

      good = .false.
      if (n > 300) return
      before = sum((row_scale * residual_(:n))**2)
      call decompose(u, w)
      call shortest_step(u, w, step, slope, is_open)
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
      real(dp) :: step(n), next(n), before(n), last, after, lambda, sum_before
      integer :: iteration, regular, extra, stalled
      logical :: good, exact

      found = 0
      extra = 0
      stalled = 0
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
        ! Steps to and fro that become no shorter are the rounding of what is computed inside the loop.
        stalled = merge(stalled + 1, 0, size_of_step <= 1e-8_dp .and. size_of_step > 0.3_dp * last)
        found = merge(1, 0, stalled == 4)
        if (found == 1) return
        if (size_of_step <= 1e-13_dp .or. (size_of_step <= 1e-9_dp .and. size_of_step > 0.3_dp * last)) then
          sum_before = sum((row_scale * residual_(:n))**2)
          call move(before, 1.0_dp, step)
          if (residuals_finite_(k, n)) then
            if (is_determined(step)) then
              found = 1
              return
            end if
            if (sum((row_scale * residual_(:n))**2) < sum_before .and. extra < 30) then
              extra = extra + 1
              last = size_of_step
              cycle
            end if
          end if
          v(z) = before
          call residuals_(k)
          if (exact) then
            found = 1
            return
          end if
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

    ! A linear loop whose equations agree with each other but leave unknowns open: the torques of two brakes that hold
    ! one shaft, the currents of two closed switches side by side.
    subroutine solve_open
      real(dp) :: u(n, n), w(n, n), step(n), terms(n), slope, open_direction(n, n)
      logical :: is_open(n)
      integer :: p, pass, count

      bad = .true.
      if (n > 300 .or. loop_quantities_(k) == 0) return
      v(z) = 0
      row_scale = 1
      if (.not. residuals_finite_(k, n)) return
      if (linearise() < 0) return
      terms = abs(residual_(:n))
      call decompose(u, w)
      do pass = 1, 2  ! one correction removes rounding
        call shortest_step(u, w, step, slope, is_open)
        v(z) = v(z) - step
        if (.not. residuals_finite_(k, n)) return
      end do
      terms = terms + matmul(abs(partial), abs(v(z)))
      if (.not. all(abs(residual_(:n)) <= 1e-10_dp * terms)) return
      count = 0
      do p = 1, n
        if (.not. is_open(p)) cycle
        count = count + 1
        open_direction(:, count) = unit * w(:, p)
      end do
      open_directions_(k) = count
      bad = .false.
      if (count > 0) call take_nearest(count, open_direction(:, :count))
    end subroutine

    ! Of the solutions the one nearest to the values before the event: the smallest sum of squares of the changes of the
    ! unknowns and of what is eliminated for them.
    subroutine take_nearest(count, directions)
      integer, intent(in) :: count
      real(dp), intent(in) :: directions(n, count)
      real(dp) :: here(loop_quantities_(k)), along(loop_quantities_(k), count), before(loop_quantities_(k))
      real(dp) :: square(count, count), right(count), found(n)
      integer :: i, first, last, row(count)
      logical :: good

      first = loop_quantity_first_(k)
      last = first + loop_quantities_(k) - 1
      before = values_before_(loop_quantity_(first:last)) / loop_quantity_size_(first:last)
      found = v(z)
      call read_quantities(found, here)
      do i = 1, count
        call read_quantities(found + directions(:, i), along(:, i))
        along(:, i) = along(:, i) - here
      end do
      right = matmul(before - here, along)
      square = matmul(transpose(along), along)
      call factor_(count, square, row, good)
      bad = .not. good
      if (bad) return
      call solve_factored_(count, square, row, right)
      if (shifted_loop_ == k) right(shifted_direction_) = right(shifted_direction_) + 1
      call read_quantities(found + matmul(directions, right), here)
    end subroutine

    ! They are measured by their sizes.
    subroutine read_quantities(at, to)
      real(dp), intent(in) :: at(n)
      real(dp), intent(out) :: to(loop_quantities_(k))
      integer :: first, last
      first = loop_quantity_first_(k)
      last = first + loop_quantities_(k) - 1
      v(z) = at
      if (.not. residuals_finite_(k, n)) bad = .true.
      call eliminated_
      to = v(loop_quantity_(first:last)) / loop_quantity_size_(first:last)
    end subroutine
  end subroutine
