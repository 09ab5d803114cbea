  type delay_line_
    integer :: n = 0
    real(dp), allocatable :: past(:, :)  ! times, values
    real(dp), allocatable :: jumps(:)
    real(dp) :: passed = -huge(1.0_dp), present = 0
  end type
  type(delay_line_) :: line_(ndelay_)
