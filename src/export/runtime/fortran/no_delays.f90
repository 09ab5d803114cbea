  subroutine pass_delayed_jumps_
  end subroutine

  subroutine record_delays_
  end subroutine

  real(dp) function next_delayed_jump_()
    next_delayed_jump_ = huge(1.0_dp)
  end function
