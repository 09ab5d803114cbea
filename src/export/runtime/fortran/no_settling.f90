  ! No switches but those of the time: nothing is found by iteration.

  subroutine settle_(at_start, bad)
    logical, intent(in) :: at_start
    logical, intent(out) :: bad
    integer :: iteration, k
    logical :: changed
    real(dp) :: now

    do iteration = 1, 100
      changed = .false.
      problem_ = ' '
      if (at_start) then
        call initial_(bad)
      else
        call evaluate_(bad)
      end if
      bad = bad .or. problem_ /= ' '
      if (bad) return
      call crossings_
      do k = 1, nswitch_ + zero_
        now = switch_value_(k)
        if (same_(now, sw_(k)) .or. ieee_is_nan(now)) cycle
        sw_(k) = now
        changed = .true.
      end do
      if (.not. changed) return
    end do
    bad = .true.
    problem_ = 'conditions, which switch each other without end'
  end subroutine

  subroutine look_ahead_(changed, bad)
    logical, intent(out) :: changed, bad
    changed = .false.
    bad = .false.
  end subroutine

  subroutine settle_on_sides_
  end subroutine
