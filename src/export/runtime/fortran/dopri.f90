  ! Dormand and Prince, order 5(4), with Shampine's dense output.
  subroutine step_dopri_(t, h, good)
    real(dp), intent(in) :: t, h
    logical, intent(out) :: good
    real(dp), parameter :: a(6, 7) = reshape([ &
      0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      1.0_dp / 5, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      3.0_dp / 40, 9.0_dp / 40, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      44.0_dp / 45, -56.0_dp / 15, 32.0_dp / 9, 0.0_dp, 0.0_dp, 0.0_dp, &
      19372.0_dp / 6561, -25360.0_dp / 2187, 64448.0_dp / 6561, -212.0_dp / 729, 0.0_dp, 0.0_dp, &
      9017.0_dp / 3168, -355.0_dp / 33, 46732.0_dp / 5247, 49.0_dp / 176, -5103.0_dp / 18656, 0.0_dp, &
      35.0_dp / 384, 0.0_dp, 500.0_dp / 1113, 125.0_dp / 192, -2187.0_dp / 6784, 11.0_dp / 84], [6, 7])
    real(dp), parameter :: c(7) = [0.0_dp, 0.2_dp, 0.3_dp, 0.8_dp, 8.0_dp / 9, 1.0_dp, 1.0_dp]
    real(dp), parameter :: e(7) = [71.0_dp / 57600, 0.0_dp, -71.0_dp / 16695, 71.0_dp / 1920, &
                                   -17253.0_dp / 339200, 22.0_dp / 525, -1.0_dp / 40]
    real(dp), parameter :: d(7) = [-12715105075.0_dp / 11282082432.0_dp, 0.0_dp, 87487479700.0_dp / 32700410799.0_dp, &
                                   -10690763975.0_dp / 1880347072.0_dp, 701980252875.0_dp / 199316789632.0_dp, &
                                   -1453857185.0_dp / 822651844.0_dp, 69997945.0_dp / 29380423.0_dp]
    real(dp) :: y(max(1, nx_)), y6(max(1, nx_)), f(max(1, nx_)), above, below
    integer :: s
    logical :: bad

    good = .false.
    y = 0
    y6 = 0
    if (.not. first_same_) then
      call derivatives_(t, x_, f, bad)
      if (bad) return
      rate_(1, :) = f
    end if
    first_same_ = .true.
    do s = 2, 7
      y6 = y
      y = x_ + h * matmul(a(:s - 1, s), rate_(:s - 1, :))
      call derivatives_(t + c(s) * h, y, f, bad)
      if (bad) return
      rate_(s, :) = f
    end do
    x_new_ = y
    x_error_ = h * matmul(e, rate_)
    dense_(1, :) = x_
    dense_(2, :) = y - x_
    dense_(3, :) = h * rate_(1, :) - dense_(2, :)
    dense_(4, :) = dense_(2, :) - h * rate_(7, :) - dense_(3, :)
    dense_(5, :) = h * matmul(d, rate_)
    above = sum((rate_(7, :) - rate_(6, :))**2)
    below = sum((y - y6)**2)
    if (below > 0 .and. h * sqrt(above) > 3.25_dp * sqrt(below)) then
      stiffness_ = stiffness_ + 1
      calm_ = 0
    else
      calm_ = calm_ + 1
      if (calm_ == 6) stiffness_ = 0
    end if
    good = .true.
  end subroutine
