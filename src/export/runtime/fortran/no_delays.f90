  subroutine pass_delayed_jumps_
  end subroutine

  subroutine record_delays_
  end subroutine

  real(dp) function next_delayed_jump_()
    next_delayed_jump_ = huge(1.0_dp)
  end function

  logical function record_start_()
    record_start_ = .false.
  end function

  subroutine begin_delays_
  end subroutine

  logical function present_arguments_found_()
    present_arguments_found_ = .true.
  end function

  logical function jump_is_out_()
    jump_is_out_ = .false.
  end function

  logical function jump_is_pending_()
    jump_is_pending_ = .false.
  end function
