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

  ! After the last point: a polynomial through the last points and the present one.
  real(dp) function in_present_step_(k, t) result(sum)
    integer, intent(in) :: k
    real(dp), intent(in) :: t
    real(dp) :: times(6), values(6), length, term
    integer :: count, i, j

    delay_asked_ = .true.
    associate (l => line_(k))
      sum = l%past(2, l%n)
      length = delay_now_ - l%past(1, l%n)
      if (.not. length > 0) return
      times(1) = delay_now_
      values(1) = l%present
      times(2) = l%past(1, l%n)
      values(2) = l%past(2, l%n)
      count = 2
      do i = l%n - 1, 1, -1
        if (count == 6) exit
        if (same_(l%past(1, i), l%past(1, i + 1))) exit  ! a jump
        if (times(count) - l%past(1, i) < length / 4) cycle
        count = count + 1
        times(count) = l%past(1, i)
        values(count) = l%past(2, i)
      end do
    end associate
    sum = 0
    do i = 1, count
      term = values(i)
      do j = 1, count
        if (j /= i) term = term * (t - times(j)) / (times(i) - times(j))
      end do
      sum = sum + term
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
      if (t >= delay_now_ .and. delay_now_ >= l%past(1, l%n)) then  ! a delay by 0
        delay_asked_ = .true.
        delayed_ = l%present
        return
      end if
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
      if (t > l%past(1, l%n)) then
        delayed_ = in_present_step_(k, t)
        return
      end if
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

  subroutine pass_delayed_jumps_
    integer :: k
    do k = 1, ndelay_ + zero_
      if (.not. allocated(line_(k)%jumps)) cycle
      do while (size(line_(k)%jumps) > 0)
        if (line_(k)%jumps(1) + delay_duration_(k) > v(time) .and. &
            .not. same_instant_(line_(k)%jumps(1) + delay_duration_(k), v(time))) exit
        line_(k)%passed = line_(k)%jumps(1)
        line_(k)%jumps = line_(k)%jumps(2:)
      end do
    end do
  end subroutine

  subroutine record_delays_
    integer :: k
    do k = 1, ndelay_ + zero_
      call record_(k, v(time), delay_argument_(k))
    end do
    call pass_delayed_jumps_
  end subroutine

  ! Whether a jump is in a delay whose length varies, and whether it has come out, with the durations as computed last.
  logical function jump_is_pending_()
    integer :: k
    jump_is_pending_ = .false.
    do k = 1, ndelay_ + zero_
      if (delay_varies_(k) == 0 .or. .not. allocated(line_(k)%jumps)) cycle
      if (size(line_(k)%jumps) > 0) jump_is_pending_ = .true.
    end do
  end function

  logical function jump_is_out_()
    integer :: k
    jump_is_out_ = .false.
    do k = 1, ndelay_ + zero_
      if (delay_varies_(k) == 0 .or. .not. allocated(line_(k)%jumps)) cycle
      if (size(line_(k)%jumps) == 0) cycle
      if (v(time) - delay_duration_(k) >= line_(k)%jumps(1)) jump_is_out_ = .true.
    end do
  end function

  ! Of delays whose length does not vary.
  real(dp) function next_delayed_jump_() result(next)
    integer :: k
    next = huge(next)
    do k = 1, ndelay_ + zero_
      if (delay_varies_(k) == 1 .or. .not. allocated(line_(k)%jumps)) cycle
      if (size(line_(k)%jumps) > 0) next = min(next, line_(k)%jumps(1) + delay_duration_(k))
    end do
  end function

  ! At the start: what the arguments were before. Whether any has changed since the last time.
  logical function record_start_()
    integer :: k
    record_start_ = .false.
    do k = 1, ndelay_ + zero_
      if (.not. ieee_is_finite(delay_argument_(k))) cycle
      if (line_(k)%n == 0) then
        record_start_ = .true.
      else if (.not. same_(line_(k)%past(2, 1), delay_argument_(k))) then
        record_start_ = .true.
      end if
      line_(k)%n = 0
      line_(k)%passed = -huge(1.0_dp)
      if (allocated(line_(k)%jumps)) line_(k)%jumps = line_(k)%jumps(1:0)
      call record_(k, v(time), delay_argument_(k))
    end do
  end function

  subroutine begin_delays_
    delay_now_ = v(time)
    delay_asked_ = .false.
  end subroutine

  ! The arguments where the equations are evaluated, as computed last. Whether they are found.
  logical function present_arguments_found_()
    integer :: k
    real(dp) :: now, before
    present_arguments_found_ = .true.
    do k = 1, ndelay_ + zero_
      now = delay_argument_(k)
      before = line_(k)%present
      if (abs(now - before) > 1e-13_dp * max(abs(now), abs(before))) present_arguments_found_ = .false.
      line_(k)%present = now
    end do
    if (.not. delay_asked_) present_arguments_found_ = .true.
    delay_asked_ = .false.
  end function
