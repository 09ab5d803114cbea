  ! ---- settling: values of the switches with which the equations lead to the same values, and go on to do so

  logical function is_watched_(k)
    integer, intent(in) :: k
    is_watched_ = switch_timed_(k) == 0 .and. switch_kink_(k) == 0 .and. .not. muted_(k)
  end function

  ! The crossing is at zero as far as can be told.
  logical function near_zero_(k)
    integer, intent(in) :: k
    near_zero_ = is_watched_(k) .and. (switch_kind_(k) <= less_equal_kind_ .or. switch_kind_(k) == sign_kind_) .and. &
      (forced_(k) .or. abs(crossing_(k)) <= 1e-9_dp * sw_largest_(k) + 1e-13_dp)
  end function

  real(dp) function other_value_(k)
    integer, intent(in) :: k
    other_value_ = 1 - sw_(k)
    if (switch_kind_(k) == sign_kind_) other_value_ = merge(-1, 1, sw_(k) > 0)
  end function

  ! At zero, its value does not agree with the sign that the crossing has there.
  logical function is_opposite_(k, c)
    integer, intent(in) :: k
    real(dp), intent(in) :: c
    if (switch_kind_(k) == sign_kind_) then
      is_opposite_ = c * sw_(k) < 0
    else
      is_opposite_ = (c < 0) .neqv. is_true_(sw_(k))
    end if
  end function

  subroutine run_equations_(at_start, bad)
    logical, intent(in) :: at_start
    logical, intent(out) :: bad
    problem_ = ' '
    if (at_start) then
      call initial_(bad)
    else
      call evaluate_(bad)
    end if
    bad = bad .or. problem_ /= ' '
  end subroutine

  ! Switches that disagree with the equations, the first `n` of the list; -1: the equations have no solution.
  subroutine list_changing_(at_start, changing, n)
    logical, intent(in) :: at_start
    integer, intent(out) :: changing(nswitch_), n
    integer :: k
    real(dp) :: now
    logical :: bad

    n = -1
    call run_equations_(at_start, bad)
    if (bad) return
    call crossings_
    n = 0
    do k = 1, nswitch_ + zero_
      now = switch_value_(k)
      if (same_(now, sw_(k)) .or. ieee_is_nan(now)) cycle
      n = n + 1
      changing(n) = k
    end do
  end subroutine

  ! First all that disagree change together; when that goes round in circles only the first of them does, which ends for
  ! circuits of diodes and resistors (Murty's rule). 0: settled, 1: no solution, 2: a circle.
  subroutine iterate_(at_start, outcome)
    logical, intent(in) :: at_start
    integer, intent(out) :: outcome
    integer :: changing(nswitch_), made(nswitch_), to_try(nswitch_), together(nswitch_)
    integer :: iteration, n, i, count, tries, count_together
    real(dp) :: before(nswitch_), after(nswitch_), try_after(nswitch_), together_after(nswitch_)
    logical :: chain, trying_one

    involved_ = .false.
    made = 0
    to_try = 0
    together = 0
    before = 0
    after = 0
    try_after = 0
    together_after = 0
    count = 0
    tries = 0
    count_together = 0
    trying_one = .false.
    iteration = 0
    do while (iteration < 216)
      chain = iteration > 8
      call list_changing_(at_start, changing, n)
      if (n < 0) then
        iteration = iteration + 1
        if (changed_fewer()) cycle
        if (iteration == 1) then
          if (time_events_set()) cycle
        end if
        outcome = 1
        return
      end if
      outcome = 0
      if (n == 0) return
      if (chain) then  ! of switches, each of which changes for the first time
        chain = .not. any(involved_(changing(:n)))
        involved_(changing(:n)) = .true.
      end if
      tries = 0
      trying_one = .false.
      count = merge(1, n, iteration >= 16)
      do i = 1, count
        made(i) = changing(i)
        before(i) = sw_(made(i))
        after(i) = switch_value_(made(i))
      end do
      sw_(made(:count)) = after(:count)
      if (.not. chain) iteration = iteration + 1
    end do
    outcome = 2
  contains
    ! No solution after several switches have changed together: they change alone, one after the other.
    logical function changed_fewer()
      if (tries == 0 .and. .not. trying_one) then
        count_together = count
        together(:count) = made(:count)
        together_after(:count) = after(:count)
        if (count > 1) then
          tries = count
          to_try(:count) = made(:count)
          try_after(:count) = after(:count)
        end if
      end if
      sw_(made(:count)) = before(:count)
      trying_one = tries > 0
      changed_fewer = trying_one
      if (.not. trying_one) then  ! as they failed
        sw_(together(:count_together)) = together_after(:count_together)
        return
      end if
      made(1) = to_try(tries)
      before(1) = sw_(made(1))
      after(1) = try_after(tries)
      sw_(made(1)) = after(1)
      count = 1
      tries = tries - 1
    end function

    logical function time_events_set()
      integer :: k
      real(dp) :: now
      time_events_set = .false.
      call crossings_
      do k = 1, nswitch_ + zero_
        if (switch_timed_(k) == 0) cycle
        now = switch_value_(k)
        if (same_(now, sw_(k)) .or. ieee_is_nan(now)) cycle
        sw_(k) = now
        time_events_set = .true.
      end do
    end function
  end subroutine

  ! What the time decides stays as it is.
  subroutine restore_switches_
    where (switch_timed_(:nswitch_) == 0) sw_(:nswitch_) = at_entry_(:nswitch_)
  end subroutine

  ! Whether the derivatives are the same whatever the loops leave open; else these equations are not those of the model.
  logical function open_moves_nothing_(at_start) result(nothing)
    logical, intent(in) :: at_start
    real(dp), save :: kept(0:nv_ - 1)
    real(dp) :: size_of, moved
    integer :: k, i, directions
    logical :: bad

    kept = v
    nothing = .true.
    do k = 1, nloop_ + zero_
      directions = open_directions_(k)
      do shifted_direction_ = 1, directions
        if (.not. nothing) exit
        shifted_loop_ = k
        call run_equations_(at_start, bad)
        nothing = .not. bad
        do i = 1, nx_ + zero_
          size_of = max(abs(kept(i)), merge(state_scale_(i), 1.0_dp, state_scale_(i) > 0))
          moved = abs(v(nx_ + i) - kept(nx_ + i))
          if (moved * (stop_time_ - start_time_) > 1e-9_dp * size_of .and. moved > 1e-12_dp * abs(v(nx_ + i))) nothing = .false.
          if (abs(v(i) - kept(i)) > 1e-12_dp * size_of) nothing = .false.
        end do
        shifted_loop_ = 0
        v = kept
      end do
    end do
    if (.not. nothing) return
    call run_equations_(at_start, bad)
    nothing = .not. bad
  end function

  ! All combinations of a few, those nearest to the present one first.
  logical function search_(at_start) result(found)
    logical, intent(in) :: at_start
    real(dp), save :: values(0:nv_ - 1)
    integer :: list(10), changing(nswitch_), n, k, flips, i, mask, disagreeing
    real(dp) :: present(10)

    found = .false.
    n = 0
    do k = 1, nswitch_ + zero_
      if (.not. involved_(k) .or. switch_kind_(k) >= truncate_kind_) cycle
      if (n == 10) return
      n = n + 1
      list(n) = k
      present(n) = sw_(k)
    end do
    values = v
    do flips = 1, n
      do mask = 1, 2**n - 1
        if (popcnt(mask) /= flips) cycle
        v = values
        do i = 1, n
          sw_(list(i)) = present(i)
          if (btest(mask, i - 1)) sw_(list(i)) = other_value_(list(i))
        end do
        call list_changing_(at_start, changing, disagreeing)
        found = disagreeing == 0
        if (found) return
      end do
    end do
  end function

  ! One Euler step along the derivatives.
  subroutine step_ahead_(h, bad)
    real(dp), intent(in) :: h
    logical, intent(out) :: bad
    v(1:nx_) = v(1:nx_) + h * v(nx_ + 1:2 * nx_)
    v(time) = v(time) + h
    problem_ = ' '
    call equations_(.true., bad)
    bad = bad .or. problem_ /= ' ' .or. .not. derivatives_finite_()
  end subroutine

  ! Whether the switches go on to agree beyond this instant: at the instant itself ideal diodes in parallel may all
  ! conduct, or all block.
  logical function lasts_for_(distance, clearly) result(good)
    real(dp), intent(in) :: distance
    logical, intent(in) :: clearly
    real(dp), save :: values(0:nv_ - 1)
    real(dp) :: here(nswitch_), c
    logical :: near(nswitch_), bad
    integer :: k, step

    near = .false.
    do k = 1, nswitch_ + zero_
      near(k) = switch_in_loop_(k) == 1 .and. near_zero_(k)
    end do
    values = v
    here = crossing_(:nswitch_)
    do step = 1, 4
      call step_ahead_(distance, bad)
      if (bad) exit
    end do
    good = .not. bad
    if (good) call crossings_
    do k = 1, nswitch_ + zero_
      if (.not. good .or. .not. near(k)) cycle
      c = crossing_(k)
      if (clearly .and. abs(c) <= 10 * abs(here(k)) + 1e-14_dp * sw_largest_(k)) good = .false.
      if (is_true_(c) .and. is_opposite_(k, c)) good = .false.
    end do
    problem_ = ' '
    v = values
    crossing_(:nswitch_) = here
  end function

  logical function lasts_()
    lasts_ = lasts_for_(1e-7_dp * (stop_time_ - start_time_), .false.)
    if (.not. lasts_) lasts_ = lasts_for_(1e-10_dp * (stop_time_ - start_time_), .true.)
  end function

  logical function agrees_for_good_() result(good)
    integer :: k
    real(dp) :: now
    logical :: bad

    problem_ = ' '
    call equations_(.true., bad)
    good = .not. bad .and. problem_ == ' ' .and. derivatives_finite_()
    if (.not. good) return
    call crossings_
    good = .false.
    do k = 1, nswitch_ + zero_
      now = switch_value_(k)
      if (is_watched_(k) .and. .not. near_zero_(k) .and. .not. same_(now, sw_(k)) .and. .not. ieee_is_nan(now)) return
    end do
    good = lasts_()
  end function

  ! Values of the switches in loops that agree and go on to do so: few changes first, those at zero before others.
  logical function search_lasting_() result(found)
    real(dp), save :: values(0:nv_ - 1)
    integer :: order(nswitch_), flipped(nswitch_), n, pass, k, i, flips, tried

    flipped = 0
    order = 0
    n = 0
    do pass = 1, 2
      do k = 1, nswitch_ + zero_
        if (switch_in_loop_(k) == 0 .or. (near_zero_(k) .neqv. pass == 1)) cycle
        n = n + 1
        order(n) = k
      end do
    end do
    values = v
    tried = 0
    found = .false.
    do flips = 0, n
      flipped(:flips) = [(i, i = 1, flips)]
      do
        tried = tried + 1
        if (tried > 5000) return
        v = values
        call restore_switches_
        do i = 1, flips
          sw_(order(flipped(i))) = other_value_(order(flipped(i)))
        end do
        found = agrees_for_good_()
        if (found) exit
        i = flips
        do while (i > 0)
          if (flipped(i) /= n - flips + i) exit
          i = i - 1
        end do
        if (i == 0) exit
        flipped(i) = flipped(i) + 1
        do i = i + 1, flips
          flipped(i) = flipped(i - 1) + 1
        end do
      end do
      if (found) exit
    end do
    if (.not. found) return
    do k = 1, nswitch_ + zero_
      if (switch_in_loop_(k) == 0) cycle
      if (.not. near_zero_(k)) cycle
      call force_(k, sw_(k))
      sw_offset_(k) = merge(-crossing_(k), 0.0_dp, is_opposite_(k, crossing_(k)))
    end do
  end function

  subroutine force_(k, value)
    integer, intent(in) :: k
    real(dp), intent(in) :: value
    sw_(k) = value
    forced_(k) = .true.
    forced_value_(k) = value
    forced_crossing_(k) = crossing_(k)
  end subroutine

  ! After the switches agree with the equations at this instant: those of loops that are at zero may have to take other
  ! values, that last. Where none do they stay.
  subroutine settle_for_good_(bad)
    logical, intent(out) :: bad
    real(dp), save :: values(0:nv_ - 1)
    real(dp) :: settled(nswitch_), found(nswitch_)
    integer :: k
    logical :: open, near

    bad = .false.
    near = .false.
    do k = 1, nswitch_ + zero_
      if (switch_in_loop_(k) == 1) near = near .or. near_zero_(k)
    end do
    if (.not. near) return
    if (lasts_()) return
    values = v
    settled = sw_(:nswitch_)
    found = crossing_(:nswitch_)
    at_entry_ = sw_
    open = open_allowed_
    open_allowed_ = .false.
    if (search_lasting_()) return
    open_allowed_ = open
    problem_ = ' '
    v = values
    sw_(:nswitch_) = settled
    crossing_(:nswitch_) = found
    call evaluate_(bad)
  end subroutine

  subroutine settle_(at_start, bad)
    logical, intent(in) :: at_start
    logical, intent(out) :: bad
    real(dp), save :: values(0:nv_ - 1)
    character(len=len(problem_)) :: what
    integer :: outcome, end_of_all, k

    at_entry_ = sw_
    values = v
    open_allowed_ = .false.
    call iterate_(at_start, outcome)
    what = problem_
    if (outcome == 2) what = 'conditions, which switch each other without end'
    if (outcome == 1 .and. nloop_ > 0) then
      call restore_switches_
      v = values
      open_allowed_ = .true.
      call iterate_(at_start, outcome)
      if (outcome == 0) outcome = merge(0, 1, open_moves_nothing_(at_start))
      if (outcome /= 0) open_allowed_ = .false.
    end if
    do end_of_all = 1, 0, -1  ! where all ideal diodes block, or none does
      if (outcome == 0) exit
      call restore_switches_
      v = values
      do k = 1, nswitch_ + zero_
        if (switch_uncertain_(k) == 1 .and. switch_kind_(k) <= not_equal_kind_ .and. switch_kink_(k) == 0) sw_(k) = end_of_all
      end do
      call iterate_(at_start, outcome)
    end do
    if (outcome /= 0) then
      do k = 1, nswitch_ + zero_
        involved_(k) = involved_(k) .or. is_watched_(k)
      end do
      call restore_switches_
      v = values
      if (search_(at_start)) outcome = 0
    end if
    if (outcome /= 0 .and. .not. at_start) then
      call restore_switches_
      v = values
      if (search_lasting_()) outcome = 0
    end if
    bad = outcome /= 0
    if (.not. bad) then
      if (.not. at_start) call settle_for_good_(bad)
      return
    end if
    call restore_switches_
    problem_ = what
  end subroutine

  ! What is exactly equal takes the side that it moves to, a whole number the piece that is entered: a few short Euler
  ! steps tell. What stays equal has the value of equals.
  subroutine look_ahead_(changed, bad)
    logical, intent(out) :: changed, bad
    real(dp), save :: values(0:nv_ - 1)
    real(dp) :: here(nswitch_), next(nswitch_), c
    logical :: open(nswitch_)
    integer :: k, step

    changed = .false.
    bad = .false.
    open = .false.
    do k = 1, nswitch_ + zero_
      c = crossing_(k)
      select case (switch_kind_(k))
      case (truncate_kind_)
        open(k) = is_true_(c) .and. same_(c, aint(c)) .and. same_(c, sw_(k))
      case (floor_kind_)
        open(k) = same_(c, floor_of_(c)) .and. same_(c, sw_(k))
      case default
        open(k) = .not. is_true_(c) .and. .not. ieee_is_nan(c) .and. switch_kink_(k) == 0
      end select
      if (switch_timed_(k) == 1 .or. muted_(k)) open(k) = .false.
    end do
    if (.not. any(open)) return
    values = v
    here = crossing_(:nswitch_)
    next = sw_(:nswitch_)
    do step = 1, 4
      call step_ahead_(1e-8_dp * (stop_time_ - start_time_), bad)
      if (bad) exit
      call crossings_
      do k = 1, nswitch_ + zero_
        c = crossing_(k)
        if (.not. open(k) .or. ieee_is_nan(c)) cycle
        if (abs(c - here(k)) <= 2e-15_dp * max(abs(here(k)), sw_largest_(k))) cycle
        open(k) = .false.
        sw_offset_(k) = sign(sw_offset_(k), c)
        select case (switch_kind_(k))
        case (sign_kind_)
          next(k) = merge(1, -1, c > 0)
        case (equal_kind_)
          next(k) = 0
        case (not_equal_kind_)
          next(k) = 1
        case (floor_kind_)
          if (c < here(k)) next(k) = here(k) - 1
        case (truncate_kind_)
          if (abs(c) < abs(here(k))) next(k) = here(k) - sign_of_(here(k))
        case default
          next(k) = number_of_(c < 0)
        end select
      end do
      if (.not. any(open)) exit
    end do
    problem_ = ' '
    v = values
    crossing_(:nswitch_) = here
    do k = 1, nswitch_ + zero_
      if (open(k) .and. .not. bad .and. switch_kind_(k) < truncate_kind_) then  ! stays equal
        next(k) = number_of_(switch_kind_(k) == less_equal_kind_ .or. switch_kind_(k) == equal_kind_)
        sw_offset_(k) = merge(-1e-12_dp, 1e-12_dp, switch_kind_(k) == less_equal_kind_) * sw_largest_(k)
      end if
      if (same_(next(k), sw_(k))) cycle
      call force_(k, next(k))
      changed = .true.
    end do
    bad = .false.
    if (changed) call evaluate_(bad)
  end subroutine

  ! What depends on the solution of a loop and is zero but for rounding leaves to the side of its value by more than
  ! solutions differ from one evaluation to the next.
  subroutine settle_on_sides_
    integer :: k
    real(dp) :: c, side, least
    do k = 1, nswitch_ + zero_
      if (switch_uncertain_(k) == 0) cycle
      if (.not. near_zero_(k)) cycle
      c = crossing_(k)
      side = merge(-1, 1, is_true_(sw_(k)))
      if (switch_kind_(k) == sign_kind_) side = sw_(k)
      least = max(abs(c), 1e-13_dp * sw_largest_(k) + 1e-13_dp)
      if (is_true_(side) .and. c * side < least) sw_offset_(k) = side * least - c
    end do
    forced_ = .false.
    at_event_ = crossing_
    unmoved_ = .true.
  end subroutine
