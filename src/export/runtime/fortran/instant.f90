  ! ---- one instant

  logical function derivatives_finite_()
    derivatives_finite_ = all(ieee_is_finite(v(nx_ + 1:2 * nx_)))
  end function

  subroutine equations_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    call state_derivatives_(bad)
    if (.not. bad .and. all_of_them) call auxiliaries_(bad)
  end subroutine

  ! A loop may have a solution on either side of a crossing (sign(w)*w*w = u): the one that agrees with the switch
  ! counts, if there is one.
  subroutine keep_branches_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    integer :: k, at
    real(dp) :: found
    logical :: agrees

    bad = .false.
    do k = 1, nswitch_ + zero_
      at = switch_branch_(k)
      if (at == 0) cycle
      found = v(at)
      if (switch_kind_(k) == sign_kind_) then
        agrees = found * sw_(k) >= 0
      else
        agrees = (found < 0 .eqv. is_true_(sw_(k))) .or. .not. is_true_(found)
      end if
      if (agrees) cycle
      v(at) = -found
      call equations_(all_of_them, bad)
      if (.not. bad .and. v(at) * found <= 0) cycle
      v(at) = found
      problem_ = ' '
      call equations_(all_of_them, bad)
      if (bad) return
    end do
  end subroutine

  ! The continuous equations with the switches as they are. Beyond a crossing that is not located yet they may have no
  ! solution; then the relations themselves count.
  subroutine evaluate_once_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    logical :: bad_live
    character(len=len(problem_)) :: what

    problem_ = ' '
    call equations_(all_of_them, bad)
    if (.not. bad) call keep_branches_(all_of_them, bad)
    if (nswitch_ > 0 .and. (bad .or. .not. derivatives_finite_())) then
      what = problem_
      live_ = .true.
      problem_ = ' '
      call equations_(all_of_them, bad_live)
      live_ = .false.
      if (.not. bad_live .and. derivatives_finite_()) then
        bad = .false.
        return
      end if
      if (.not. bad) call equations_(all_of_them, bad)
      problem_ = what
    end if
    bad = bad .or. problem_ /= ' '
  end subroutine

  ! The same, where delays shorter than the step that is being tried depend on the arguments here.
  subroutine evaluate_part_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    integer :: iteration

    call begin_delays_
    call evaluate_once_(all_of_them, bad)
    if (.not. delay_asked_) return
    do iteration = 1, 100
      call evaluate_once_(.true., bad)
      if (bad) return
      call conditions_
      if (.not. present_arguments_found_()) cycle
      call evaluate_once_(all_of_them, bad)
      return
    end do
    bad = .true.
    problem_ = 'a delay that depends on itself within a step'
  end subroutine

  subroutine evaluate_(bad)
    logical, intent(out) :: bad
    call evaluate_part_(.true., bad)
  end subroutine

  real(dp) function switch_value_(k)
    integer, intent(in) :: k
    real(dp) :: c, side

    c = crossing_(k) + sw_offset_(k)
    if (switch_timed_(k) == 1 .and. ieee_is_finite(instant_(k)) .and. is_true_(slope_(k))) then
      side = -slope_(k)  ! by the side of its instant
      if (v(time) >= instant_(k) .or. same_instant_(v(time), instant_(k))) side = slope_(k)
      select case (switch_kind_(k))
      case (sign_kind_)
        switch_value_ = merge(1, -1, side > 0)
      case (equal_kind_)
        switch_value_ = number_of_(now_equal_(k))
      case (not_equal_kind_)
        switch_value_ = number_of_(.not. now_equal_(k))
      case default
        switch_value_ = number_of_(side < 0)
      end select
      return
    end if
    if (forced_(k) .and. abs(crossing_(k) - forced_crossing_(k)) <= 1e-10_dp * sw_largest_(k)) then
      switch_value_ = forced_value_(k)
      return
    end if
    select case (switch_kind_(k))
    case (less_kind_)
      switch_value_ = number_of_(c < 0)
    case (less_equal_kind_)
      switch_value_ = number_of_(c <= 0)
    case (equal_kind_)
      switch_value_ = number_of_(.not. is_true_(c))
    case (not_equal_kind_)
      switch_value_ = number_of_(is_true_(c))
    case (sign_kind_)
      switch_value_ = sign_of_(c)
      if (.not. is_true_(sw_(k)) .and. abs(crossing_(k)) <= abs(sw_offset_(k))) switch_value_ = 0
    case (floor_kind_)
      switch_value_ = floor_of_(crossing_(k))
    case default
      switch_value_ = aint(crossing_(k))
    end select
  end function
