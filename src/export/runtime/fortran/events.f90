  ! ---- events

  subroutine remember_
    integer :: i
    do i = 1, nprevious_ + zero_
      v(previous_to_(i)) = v(previous_from_(i))
    end do
  end subroutine

  logical function differs_from_before_()
    integer :: i
    differs_from_before_ = .true.
    do i = 1, nprevious_ + zero_
      if (.not. same_(v(previous_to_(i)), v(previous_from_(i)))) return
    end do
    differs_from_before_ = .false.
  end function

  ! The first ndiscrete_ of them are what discrete equations determine.
  logical function discrete_differs_()
    integer :: i
    discrete_differs_ = .true.
    do i = 1, ndiscrete_ + zero_
      if (.not. same_(v(previous_to_(i)), v(previous_from_(i)))) return
    end do
    discrete_differs_ = .false.
  end function

  subroutine remember_discrete_
    integer :: i
    do i = 1, ndiscrete_ + zero_
      v(previous_to_(i)) = v(previous_from_(i))
    end do
    if (ndiscrete_ > 0) sw_before_ = sw_
  end subroutine

  logical function counts_(a)
    integer, intent(in) :: a
    counts_ = active_(action_when_(a))
    if (counts_ .and. action_guard_(a) > 0) counts_ = is_true_(value_(action_guard_(a)))
  end function

  ! The clauses whose conditions have become true; of the branches of one `when` the first.
  subroutine list_active_
    integer :: w, b
    do w = 1, nwhen_ + zero_
      active_(w) = is_true_(condition_(w)) .and. .not. held_(w)
      if (only_of_start_ .and. acts_at_start_(w) < 2) active_(w) = .false.
      do b = 1, branches_before_(w)
        if (active_(w - b)) active_(w) = .false.
      end do
    end do
  end subroutine

  ! The values of all actions, and which of them sets a variable.
  subroutine list_setters_(conflict)
    logical, intent(out) :: conflict
    integer :: a, w, first
    real(dp) :: one, other

    conflict = .false.
    do w = 1, nwhen_ + zero_
      if (active_(w)) call when_values_(w)
    end do
    do a = 1, naction_ + zero_
      setter_(action_target_(a)) = 0
    end do
    do a = 1, naction_ + zero_
      if (action_kind_(a) == terminate_kind_) cycle
      if (.not. counts_(a)) cycle
      first = setter_(action_target_(a))
      if (first == 0) then
        setter_(action_target_(a)) = a
      else
        one = value_(action_value_(first))
        other = value_(action_value_(a))
        if (abs(one - other) > 1e-12_dp * max(abs(one), abs(other))) conflict = .true.
      end if
    end do
  end subroutine

  ! New values of discrete variables, until they agree with each other and with the equations.
  subroutine assign_(bad)
    logical, intent(out) :: bad
    integer :: pass, a
    real(dp) :: wanted
    logical :: changed, conflict

    do pass = 1, 100 + naction_
      call list_setters_(conflict)
      changed = .false.
      do a = 1, naction_ + zero_
        if (.not. active_(action_when_(a)) .or. action_kind_(a) /= assign_kind_) cycle
        if (setter_(action_target_(a)) == 0) then
          wanted = v(action_before_(a))
        else
          wanted = value_(action_value_(setter_(action_target_(a))))
        end if
        if (same_(v(action_target_(a)), wanted)) cycle
        v(action_target_(a)) = wanted
        changed = .true.
      end do
      bad = conflict
      if (.not. changed) then
        if (bad) problem_ = 'when clauses, two of which give one variable different values at once'
        return
      end if
      call settle_(.false., bad)
      if (bad) return
    end do
    bad = .true.
    problem_ = 'new values, which depend on each other'
  end subroutine

  ! together_: the clauses that act, their conditions and the equations are one system.
  subroutine assign_together_(bad)
    logical, intent(out) :: bad
    logical :: acted(max(1, nwhen_))
    integer :: round, a

    do round = 1, 100 + nwhen_
      acted = active_
      call assign_(bad)
      if (bad) return
      call conditions_
      call list_active_
      if (all(acted .eqv. active_)) return
      do a = 1, naction_ + zero_  ! what they set has its value of before
        if (acted(action_when_(a)) .and. action_kind_(a) == assign_kind_) v(action_target_(a)) = v(action_before_(a))
      end do
      call settle_(.false., bad)
      if (bad) return
    end do
    bad = .true.
    problem_ = 'when clauses, whose conditions depend on what they set themselves'
  end subroutine

  ! `restarted`: states have got other values.
  subroutine act_(bad, restarted)
    logical, intent(out) :: bad
    logical, intent(inout) :: restarted
    integer :: a
    logical :: moved

    if (together_ > 0) then
      call assign_together_(bad)
    else
      call assign_(bad)
    end if
    if (bad) return
    do a = 1, njump_ + zero_
      if (same_(v(jump_from_(a)), v(jump_to_(a)))) cycle
      call jump_(bad)
      if (bad) return
      call choose_states_(.true., moved)
      exit
    end do
    do a = 1, naction_ + zero_
      if (.not. counts_(a)) cycle
      if (action_kind_(a) == reinit_kind_) then
        if (setter_(action_target_(a)) /= a) cycle
        v(action_target_(a)) = value_(action_value_(a))
        restarted = .true.
      else if (action_kind_(a) == terminate_kind_ .and. .not. terminated_) then
        write (error_unit, '(a, g0.9, 3a)') model_name_ // ': at time ', v(time), ' the model ends the run', &
          ': ', trim(action_message_(a))
        terminated_ = .true.
      end if
    end do
  end subroutine

  ! Iterated until no further condition becomes true; a clause made true by another acts after it, or together with it.
  subroutine when_clauses_(bad)
    logical, intent(out) :: bad
    integer :: iteration
    logical :: acted, acts, again, restarted

    bad = .false.
    acted = .false.
    do iteration = 1, 100 + nwhen_ + ndiscrete_
      call settle_(.false., bad)
      if (bad) return
      call conditions_
      call list_active_
      acts = any(active_)
      restarted = .false.
      if (together_ > 0) then
        if (acts) call act_(bad, restarted)
        if (bad) return
        held_ = is_true_(condition_)
        again = discrete_differs_()
        if (acts) again = restarted .or. differs_from_before_()
        if (acts) call remember_
        if (.not. again) return
        call remember_discrete_
        starting_ = .false.
        cycle
      end if
      held_ = is_true_(condition_)
      if (.not. acts) then
        if (acted) then
          if (.not. differs_from_before_()) return
          call remember_
        else if (.not. discrete_differs_()) then
          return
        end if
        call remember_discrete_
        starting_ = .false.
        cycle
      end if
      if (acted) then
        call remember_
        starting_ = .false.
      end if
      acted = .true.
      call act_(bad, restarted)
      if (bad) return
    end do
    bad = .true.
    problem_ = 'when clauses, which do not come to an end'
    if (discrete_differs_()) problem_ = 'discrete equations, which change again and again'
  end subroutine

  ! together_: the clauses of start() belong to the initialization.
  subroutine act_at_start_(bad)
    logical, intent(out) :: bad
    real(dp) :: before(max(1, naction_))
    integer :: pass, a
    logical :: changed, restarted

    bad = .false.
    before = 0
    do pass = 1, 100
      held_ = .false.
      do a = 1, naction_ + zero_
        before(a) = v(action_target_(a))
      end do
      call conditions_
      only_of_start_ = .true.
      call list_active_
      if (any(active_)) call act_(bad, restarted)
      if (bad) return
      only_of_start_ = .false.
      held_ = is_true_(condition_) .and. mod(acts_at_start_, 2) == 0  ! clocks begin after it
      changed = .false.
      do a = 1, naction_ + zero_
        if (counts_(a)) changed = changed .or. .not. same_(before(a), v(action_target_(a)))
      end do
      if (.not. changed) exit
      call settle_(.true., bad)
      if (bad) return
    end do
    starting_ = .false.
    after_start_ = .true.  ! pre(x) has been set by the initialization
  end subroutine

  ! `bad`: an assertion fails that ends the run
  subroutine check_validity_(bad)
    logical, intent(out) :: bad
    integer :: i
    bad = .false.
    do i = 1, nvalid_ + zero_
      if (.not. is_true_(valid_(i)) .and. assertion_ends_(i) == 1) then
        problem_ = trim(validity_(i))
        bad = .true.
        return
      end if
      if (.not. is_true_(valid_(i)) .and. .not. left_(i)) then
        write (error_unit, '(a, g0.9, 2a)') model_name_ // ': warning: at time ', v(time), ' ', trim(validity_(i))
      end if
      left_(i) = .not. is_true_(valid_(i))
    end do
  end subroutine

  ! time = 2 holds for an instant only; what follows from its end happens after what it did.
  logical function equalities_ended_()
    equalities_ended_ = any(now_equal_ .and. (switch_kind_ == equal_kind_ .or. switch_kind_ == not_equal_kind_))
    now_equal_ = .false.
  end function

  ! Clauses and equations, until nothing changes on the way out of the instant.
  subroutine iterate_event_(bad)
    logical, intent(out) :: bad
    integer :: round
    logical :: changed

    do round = 1, 100
      call when_clauses_(bad)
      if (bad) return
      ticking_ = 0
      starting_ = .false.
      ending_ = .false.
      if (equalities_ended_()) then
        call conditions_
        held_ = is_true_(condition_)
        cycle
      end if
      call settle_(.false., bad)
      if (bad) return
      call conditions_
      held_ = is_true_(condition_)
      call look_ahead_(changed, bad)
      if (bad) return
      call conditions_
      if (.not. changed .and. .not. any(is_true_(condition_) .and. .not. held_) .and. .not. discrete_differs_()) return
    end do
    bad = .true.
    problem_ = 'conditions, which switch each other without end'
  end subroutine

  subroutine event_(bad)
    logical, intent(out) :: bad
    integer :: k
    real(dp) :: next

    values_before_ = v
    do k = 1, nclock_ + zero_
      next = clock_first_(k) + clock_ticks_(k) * clock_period_(k)
      ticking_(k) = number_of_(next <= v(time) .or. same_instant_(next, v(time)))
      clock_ticks_(k) = clock_ticks_(k) + ticking_(k)
    end do
    do k = 1, nswitch_ + zero_
      now_equal_(k) = switch_timed_(k) == 1 .and. .not. starting_ .and. same_instant_(instant_(k), v(time))
      if (.not. now_equal_(k)) cycle
      if (switch_kind_(k) == equal_kind_) sw_(k) = 1
      if (switch_kind_(k) == not_equal_kind_) sw_(k) = 0
    end do
    call pass_delayed_jumps_
    if (.not. after_start_) call remember_
    after_start_ = .false.
    call iterate_event_(bad)
    if (bad) return
    held_ = is_true_(condition_)
    sw_before_ = sw_
    call settle_on_sides_
    bad = any(delay_duration_ < 0)
    if (bad) problem_ = 'a delay that is negative'
    if (bad) return
    call record_delays_
    call check_validity_(bad)
  end subroutine

  real(dp) function next_time_event_() result(next)
    integer :: k
    next = huge(next)
    do k = 1, nswitch_ + zero_
      if (switch_timed_(k) == 0 .or. .not. ieee_is_finite(instant_(k))) cycle
      if (instant_(k) > v(time) .and. .not. same_instant_(instant_(k), v(time))) next = min(next, instant_(k))
    end do
    do k = 1, nclock_ + zero_
      next = min(next, clock_first_(k) + clock_ticks_(k) * clock_period_(k))
    end do
    next = min(next, next_delayed_jump_())
  end function

  subroutine start_by_homotopy_(bad)
    logical, intent(out) :: bad
    real(dp), save :: good(0:nv_ - 1)
    real(dp) :: reached, part, next
    integer :: k

    bad = .true.
    if (nhomotopy_ == 0) return
    reached = -1
    part = 0.25_dp
    call guesses_
    good = v
    do while (reached < 1)
      next = 0
      if (reached >= 0) next = min(1.0_dp, reached + part)
      v = good
      do k = 1, nhomotopy_ + zero_
        v(actual_part_(k)) = next
      end do
      problem_ = ' '
      call homotopy_(bad)
      if (.not. bad .and. problem_ == ' ') then
        good = v
        if (reached >= 0) part = 2 * part
        reached = next
        cycle
      end if
      part = part / 2
      bad = .true.
      if (reached < 0 .or. part < 1e-6_dp) return
    end do
    call initial_(bad)
  end subroutine

  subroutine initialise_(bad)
    logical, intent(out) :: bad
    real(dp) :: before(max(1, nswitch_))
    integer :: k
    logical :: changes

    v(time) = start_time_
    call parameters_
    call guesses_
    call remember_
    call conditions_
    changes = record_start_()
    starting_ = .true.
    live_ = .true.
    problem_ = ' '
    call initial_(bad)
    if (bad .or. problem_ /= ' ') call start_by_homotopy_(bad)
    if (bad .and. nstate_switch_ == 0) return
    if (bad) call guesses_  ! the switches are to be settled first
    call crossings_
    live_ = .false.
    before = crossing_  ! a switch of the time: its crossing is linear in time
    v(time) = start_time_ + 1
    call crossings_
    slope_ = crossing_ - before
    v(time) = start_time_
    call crossings_
    do k = 1, nswitch_ + zero_
      sw_(k) = switch_value_(k)
    end do
    do k = 1, 100  ! delays give their arguments at the start, on which these may depend
      call settle_(.true., bad)
      if (bad) return
      call conditions_
      if (.not. record_start_()) exit
    end do
    call choose_states_(.true., changes)
    if (together_ > 0) call act_at_start_(bad)
    if (bad) return
    call remember_
    sw_before_ = sw_
    call clocks_
    do k = 1, nclock_ + zero_
      bad = .not. clock_period_(k) > 0
      if (bad) then
        problem_ = 'the period of sample() is not positive'
        return
      end if
      clock_ticks_(k) = max(0.0_dp, real(ceiling((start_time_ - clock_first_(k)) / clock_period_(k) - 1e-9_dp), dp))
      ticking_(k) = number_of_(same_instant_(clock_first_(k) + clock_ticks_(k) * clock_period_(k), start_time_))
    end do
    changes = .false.
    do k = 1, nswitch_ + zero_  ! time > 0 changes on the way out of the start
      if (switch_timed_(k) == 0 .or. is_true_(crossing_(k)) .or. switch_kind_(k) > less_equal_kind_) cycle
      sw_(k) = number_of_(slope_(k) < 0)
      changes = .true.
    end do
    if (changes) call settle_(.false., bad)
    if (bad) return
    call conditions_
    do k = 1, nwhen_ + zero_
      if (together_ == 0) held_(k) = acts_at_start_(k) == 0 .and. is_true_(condition_(k))
    end do
    call event_(bad)
  end subroutine
