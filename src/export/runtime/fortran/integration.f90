  function interpolated_(part) result(y)
    real(dp), intent(in) :: part
    real(dp) :: y(max(1, nx_)), rest
    rest = 1 - part
    y = dense_(1, :) + part * (dense_(2, :) + rest * (dense_(3, :) + part * (dense_(4, :) + rest * dense_(5, :))))
  end function

  real(dp) function error_size_(error, a, b)
    real(dp), intent(in) :: error(:), a(:), b(:)
    error_size_ = 0
    if (nx_ > 0) error_size_ = &
      sqrt(sum((error(:nx_) / (absolute_(:nx_) + local_tolerance_ * max(abs(a(:nx_)), abs(b(:nx_)))))**2) / max(1, nx_))
  end function

  real(dp) function first_step_(t)
    real(dp), intent(in) :: t
    real(dp) :: f(max(1, nx_)), size_of, rate
    logical :: bad
    first_step_ = max_step_
    if (nx_ == 0) return
    call derivatives_(t, x_, f, bad)
    if (bad) return
    size_of = error_size_(x_, x_, x_)
    rate = error_size_(f, x_, x_)
    first_step_ = 1e-6_dp * (stop_time_ - start_time_)
    if (rate > 1e-10_dp .and. size_of > 1e-10_dp) first_step_ = 0.01_dp * size_of / rate
    first_step_ = min(first_step_, max_step_)
  end function

  ! Whether the frozen switches differ from what their crossings say.
  logical function disagrees_()
    integer :: k
    real(dp) :: c
    disagrees_ = .true.
    do k = 1, nswitch_ + zero_
      c = crossing_(k)
      if (switch_timed_(k) == 1 .or. ieee_is_nan(c) .or. muted_(k)) cycle
      if (unmoved_(k) .and. same_(c, at_event_(k))) cycle
      sw_largest_(k) = max(sw_largest_(k), abs(c))
      fired_ = k
      select case (switch_kind_(k))
      case (less_kind_, less_equal_kind_, sign_kind_, truncate_kind_, floor_kind_)
        if (.not. same_(switch_value_(k), sw_(k))) return
      case default
      end select
    end do
    disagrees_ = .false.
  end function

  logical function disagrees_at_(t, y)
    real(dp), intent(in) :: t, y(:)
    logical :: bad
    v(time) = t
    v(1:nx_) = y(:nx_)
    disagrees_at_ = .false.
    if (crossings_need_equations_ == 1) then
      call evaluate_(bad)
      if (bad) return
    end if
    call crossings_
    disagrees_at_ = disagrees_()
  end function

  ! A part of the step, between its quarters, at which a switch would change for a moment only: where a parabola through
  ! three values of its function has its extreme, if that is near zero. 0: there is none.
  subroutine find_touch_(from, h, at_quarters, good, first)
    real(dp), intent(in) :: from, h, at_quarters(:, :)
    real(dp), intent(out) :: good, first
    real(dp) :: a, b, place, middle, extreme, part
    integer :: j, k

    first = 0
    do j = 2, 3
      do k = 1, nswitch_ + zero_
        if (switch_timed_(k) == 1 .or. muted_(k)) cycle
        if (switch_kind_(k) > less_equal_kind_ .and. .not. (switch_kind_(k) == sign_kind_ .and. is_true_(sw_(k)))) cycle
        middle = at_quarters(k, j)
        a = (at_quarters(k, j - 1) + at_quarters(k, j + 1)) / 2 - middle
        b = (at_quarters(k, j + 1) - at_quarters(k, j - 1)) / 2
        if (.not. abs(a) > 0) cycle
        place = -b / (2 * a)
        extreme = middle - b * b / (4 * a)
        part = 0.25_dp * (j + place)
        if (.not. place > merge(-2, -1, j == 2) .or. .not. place < j - 2) cycle
        if (first > 0 .and. part >= first) cycle
        if (abs(extreme) > 0.125_dp * abs(a) .and. extreme * middle > 0) cycle
        if (disagrees_at_(from + part * h, interpolated_(part))) first = part
      end do
    end do
    good = floor(first / 0.25_dp) * 0.25_dp
  end subroutine

  ! The first instant of the step (from, to] at which a switch changes; x_new_ becomes the states there.
  logical function find_crossing_(from, to)
    real(dp), intent(in) :: from
    real(dp), intent(inout) :: to
    real(dp) :: h, good, bad, middle, at_quarters(max(1, nswitch_), 4)
    integer :: i

    h = to - from
    good = 0
    bad = 0
    find_crossing_ = .false.
    do i = 1, 4
      middle = 0.25_dp * i
      if (i < 4) then
        find_crossing_ = disagrees_at_(from + middle * h, interpolated_(middle))
      else
        find_crossing_ = disagrees_at_(to, x_new_)
      end if
      if (find_crossing_) then
        bad = middle
        exit
      end if
      at_quarters(:, i) = crossing_
      good = middle
    end do
    if (.not. find_crossing_) call find_touch_(from, h, at_quarters, good, bad)
    find_crossing_ = bad > 0
    if (.not. find_crossing_) return
    do i = 1, 60
      if (same_instant_(from + good * h, from + bad * h)) exit
      middle = good + (bad - good) / 2
      if (disagrees_at_(from + middle * h, interpolated_(middle))) then
        bad = middle
      else
        good = middle
      end if
    end do
    to = from + bad * h
    if (bad < 1) x_new_ = interpolated_(bad)
  end function

  ! What has been located is beyond its crossing, whatever follows from that.
  subroutine force_crossed_
    integer :: k
    real(dp) :: beyond
    call crossings_
    do k = 1, nswitch_ + zero_
      beyond = switch_value_(k)
      if (switch_timed_(k) == 1 .or. muted_(k) .or. ieee_is_nan(beyond) .or. same_(beyond, sw_(k))) cycle
      sw_(k) = beyond
      forced_(k) = .true.
      forced_value_(k) = beyond
      forced_crossing_(k) = crossing_(k)
    end do
  end subroutine

  subroutine set_point_(t, y, bad)
    real(dp), intent(in) :: t, y(:)
    logical, intent(out) :: bad
    v(time) = t
    v(1:nx_) = y(:nx_)
    call evaluate_(bad)
  end subroutine

  ! A jump that comes out of a delay whose length varies: the step ends there.
  logical function find_delayed_jump_(from, used, to) result(found)
    real(dp), intent(in) :: from, used
    real(dp), intent(inout) :: to
    real(dp) :: before, after, middle
    logical :: bad

    found = .false.
    if (.not. jump_is_pending_()) return
    call set_point_(to, x_new_, bad)
    if (bad) return
    call conditions_
    found = jump_is_out_()
    if (.not. found) return
    before = from
    after = to
    do while (.not. same_instant_(before, after))
      middle = before + (after - before) / 2
      if (middle <= before .or. middle >= after) exit
      call set_point_(middle, interpolated_((middle - from) / used), bad)
      if (bad) exit
      call conditions_
      if (jump_is_out_()) then
        after = middle
      else
        before = middle
      end if
    end do
    if (after < to) x_new_ = interpolated_((after - from) / used)
    to = after
  end function

  subroutine write_outputs_(from, reached, h, is_event, bad)
    real(dp), intent(in) :: from, reached, h
    logical, intent(in) :: is_event
    logical, intent(out) :: bad
    real(dp), save :: saved(0:nv_ - 1)
    real(dp) :: t
    logical :: at_end

    saved = v
    bad = .false.
    do while (next_output_ < output_count_())
      t = output_time_(next_output_)
      at_end = same_instant_(t, reached) .or. same_(t, reached)
      if (t > reached .and. .not. at_end) exit
      next_output_ = next_output_ + 1
      if (at_end .and. is_event) cycle
      if (ntracked_ > 0) v(tracked_(:ntracked_)) = tracked_before_(:ntracked_) + &
        (t - from) / (reached - from) * (saved(tracked_(:ntracked_)) - tracked_before_(:ntracked_))
      if (at_end) then
        call set_point_(t, x_new_, bad)
      else
        call set_point_(t, interpolated_((t - from) / h), bad)
      end if
      if (bad) return
      call write_row_
    end do
    v = saved
  end subroutine

  ! What went wrong, or blank.
  subroutine integrate_(what)
    character(len=*), intent(out) :: what
    real(dp), save :: before(0:nv_ - 1)
    real(dp) :: h, storm_start, next_event, from, until, reached, error, used, part
    integer :: storm, i, breakpoint, worst
    character(len=len(problem_)) :: why
    logical :: restart, is_event, crossed, comes_out, jumps, good, bad

    what = ' '
    h = 0
    storm = 0
    storm_start = 0
    breakpoint = 1
    restart = .true.
    next_event = next_time_event_()
    local_tolerance_ = min(tolerance_, max(merge(3e-4_dp, 0.01_dp, ngroup_ > 0) * tolerance_, 1e-13_dp))
    max_step_ = (stop_time_ - start_time_) / fewest_steps_
    do i = 1, nfrequency_ + zero_
      if (is_true_(frequency_(i)) .and. ieee_is_finite(frequency_(i))) &
        max_step_ = min(max_step_, 2 * acos(-1.0_dp) / abs(frequency_(i)) / steps_of_period_)
    end do
    do i = 1, ndelay_ + zero_
      if (delay_circular_(i) == 1 .and. delay_duration_(i) > 0) max_step_ = min(max_step_, delay_duration_(i))
    end do
    do i = 1, nx_ + zero_
      part = state_scale_(i)
      if (.not. is_true_(part)) part = abs(v(i))
      absolute_(i) = local_tolerance_ * merge(part, 1.0_dp, part > 0)
    end do
    x_(:nx_) = v(1:nx_)
    use_rodas_ = solver_ == 2
    do while (v(time) < stop_time_ .and. .not. terminated_)
      from = v(time)
      if (ndelay_ > 0) next_event = next_time_event_()
      if (same_instant_(next_event, stop_time_)) next_event = stop_time_
      do while (breakpoint <= nbreakpoint_)
        if (breakpoint_time_(breakpoint) > from .and. .not. same_instant_(breakpoint_time_(breakpoint), from)) exit
        breakpoint = breakpoint + 1
      end do
      until = min(stop_time_, next_event)
      if (breakpoint <= nbreakpoint_) until = min(until, breakpoint_time_(breakpoint))
      if (nx_ == 0 .and. ntracked_ > 0) then  ! followed in small steps, to stay on a branch
        part = (stop_time_ - start_time_) / 1000
        until = min(until, start_time_ + (floor((from - start_time_) / part + 1e-6_dp) + 1) * part)
        if (same_instant_(until, stop_time_)) until = stop_time_
      end if
      if (ntracked_ > 0) tracked_before_(:ntracked_) = v(tracked_(:ntracked_))
      before = v
      if (restart) then
        h = first_step_(from)
        first_same_ = .false.
        restart = .false.
      end if
      h = min(h, max_step_)
      do  ! a step
        if (from + 1.01_dp * h >= until) then
          used = until - from
          reached = until
        else
          used = h
          reached = from + h
        end if
        good = .true.
        if (nx_ > 0) then
          if (use_rodas_) then
            call step_rodas_(from, used, good)
          else
            call step_dopri_(from, used, good)
          end if
        end if
        error = huge(error)
        if (good) error = error_size_(x_error_, x_, x_new_)
        if (error <= 1) exit
        if (.not. error < huge(error)) v = before  ! loops begin again where they were
        part = 0.25_dp
        if (error < huge(error)) part = max(0.2_dp, 0.9_dp * error**merge(-0.25_dp, -0.2_dp, use_rodas_))
        h = used * part
        if (from + h * 1e-3_dp <= from .or. h < 1e-14_dp * (stop_time_ - start_time_)) then
          v = before  ! the last good point is the last row
          if (from > last_row_) then
            why = problem_
            call set_point_(from, x_, bad)
            if (.not. bad) call write_row_
            problem_ = why
          end if
          v(time) = from
          worst = maxloc(abs(x_error_) / max(absolute_, tiny(h)), 1)
          if (problem_ == ' ' .and. nx_ > 0) problem_ = state_name_(worst)
          what = 'the steps of the integration become too short'
          return
        end if
      end do
      crossed = .false.
      if (nstate_switch_ > 0) crossed = find_crossing_(from, reached)
      if (.not. crossed) then  ! rounding at a zero that was left does not count the next time that it is reached
        where (abs(crossing_) > 1e3_dp * abs(sw_offset_)) sw_offset_ = 0
        unmoved_ = unmoved_ .and. .not. (crossing_ < at_event_ .or. crossing_ > at_event_)
      end if
      comes_out = find_delayed_jump_(from, used, reached)
      jumps = .false.
      good = .false.  ! here: a knot of a table is reached
      if (breakpoint <= nbreakpoint_) good = same_(reached, breakpoint_time_(breakpoint))
      if (good) jumps = breakpoint_jumps_(breakpoint) == 1
      is_event = crossed .or. comes_out .or. jumps .or. next_event <= reached .or. same_instant_(next_event, reached)
      if (asks_for_end_ == 1) is_event = is_event .or. reached >= stop_time_
      call set_point_(reached, x_new_, bad)
      if (.not. bad .and. ndelay_ > 0) then
        do i = 1, 7
          call set_point_(from + (reached - from) * i / 8, interpolated_((reached - from) / used * i / 8), bad)
          if (bad) exit
          call conditions_
          bad = any(delay_duration_ < 0)
          if (bad) exit
          call record_delays_
        end do
        if (.not. bad) call set_point_(reached, x_new_, bad)
        if (.not. bad) then
          call conditions_
          bad = any(delay_duration_ < 0)
          if (.not. bad) call record_delays_
        end if
        if (any(delay_duration_ < 0)) problem_ = 'a delay that is negative'
      end if
      if (.not. bad) call write_outputs_(from, reached, used, is_event, bad)
      if (bad) then
        what = 'the equations cannot be solved'
        return
      end if
      if (ndelay_ > 0 .or. nvalid_ > 0) then
        call conditions_
        if (.not. is_event) call check_validity_(bad)
        if (bad) then
          what = 'an assertion does not hold'
          return
        end if
      end if
      if (.not. crossed .and. .not. comes_out) &
        h = used * min(5.0_dp, 0.9_dp * max(error, 1e-4_dp)**merge(-0.25_dp, -0.2_dp, use_rodas_))
      x_ = x_new_
      rate_(1, :) = rate_(7, :)
      if (is_event) then
        if (storm == 0 .or. reached - storm_start > 1e-6_dp * (stop_time_ - start_time_)) then
          storm_start = reached
          storm = 0
        end if
        storm = storm + 1
        if (crossed) then
          if (switch_kink_(fired_) == 1) then
            storm = storm - 1
            if (recent_kinks_(fired_) == 0 .or. reached - kinks_since_(fired_) > 1e-6_dp * (stop_time_ - start_time_)) then
              kinks_since_(fired_) = reached
              recent_kinks_(fired_) = 0
            end if
            recent_kinks_(fired_) = recent_kinks_(fired_) + 1
            kinks_(fired_) = kinks_(fired_) + 1
            part = (reached - start_time_) / (stop_time_ - start_time_)
            if (recent_kinks_(fired_) > 100) muted_(fired_) = .true.
            if (kinks_(fired_) > 100 .and. kinks_(fired_) > 1e4_dp * part) muted_(fired_) = .true.
          end if
        end if
        if (storm == 2000) then
          what = 'events follow each other without progress; `cutset simulate` can hold a relation at its zero crossing, ' // &
            'this program cannot'
          return
        end if
        call write_row_
        if (crossed) call force_crossed_
        if (jumps) v(time) = nearest(reached, 1.0_dp)
        ending_ = asks_for_end_ == 1 .and. reached >= stop_time_
        call event_(bad)
        if (bad) then
          what = 'the equations cannot be solved'
          return
        end if
        call write_row_
        next_event = next_time_event_()
        x_(:nx_) = v(1:nx_)
        restart = .true.
      else
        call choose_states_(.false., restart)
        x_(:nx_) = v(1:nx_)
        restart = restart .or. good
      end if
      if (has_stiff_ == 1 .and. solver_ == 0 .and. .not. use_rodas_ .and. stiffness_ >= 15) then
        use_rodas_ = .true.
        restart = .true.
      end if
    end do
  end subroutine
