  ! J = A - B E^-1 C, where the columns after the states are the tearing variables of loops.
  subroutine rate_partials_(good)
    logical, intent(out) :: good
    real(dp), save :: whole(ncolumns_, ncolumns_), e(ncolumns_ - nx_, ncolumns_ - nx_), c(ncolumns_ - nx_)
    integer :: pivot(ncolumns_ - nx_), j

    jacobian_(:ncolumns_**2) = 0
    call state_jacobian_elements_
    where (.not. ieee_is_finite(jacobian_)) jacobian_ = 0
    whole = transpose(reshape(jacobian_(:ncolumns_**2), [ncolumns_, ncolumns_]))
    rate_matrix_(:nx_, :nx_) = whole(:nx_, :nx_)
    good = .true.
    if (ncolumns_ == nx_) return
    e = whole(nx_ + 1:, nx_ + 1:)
    call factor_(ncolumns_ - nx_, e, pivot, good)
    if (.not. good) return
    do j = 1, nx_ + zero_
      c = whole(nx_ + 1:, j)
      call solve_factored_(ncolumns_ - nx_, e, pivot, c)
      rate_matrix_(:nx_, j) = rate_matrix_(:nx_, j) - matmul(whole(:nx_, nx_ + 1:), c)
    end do
  end subroutine

  ! Rosenbrock method of order 4 for stiff models (Hairer and Wanner's RODAS), with the exact Jacobian.
  subroutine step_rodas_(t, h, good)
    real(dp), intent(in) :: t, h
    logical, intent(out) :: good
    real(dp), parameter :: a(5, 6) = reshape([ &
      0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      1.544_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      0.9466785280815826_dp, 0.2557011698983284_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      3.314825187068521_dp, 2.896124015972201_dp, 0.9986419139977817_dp, 0.0_dp, 0.0_dp, &
      1.221224509226641_dp, 6.019134481288629_dp, 12.53708332932087_dp, -0.687886036105895_dp, 0.0_dp, &
      1.221224509226641_dp, 6.019134481288629_dp, 12.53708332932087_dp, -0.687886036105895_dp, 1.0_dp], [5, 6])
    real(dp), parameter :: c(5, 6) = reshape([ &
      0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      -5.6688_dp, 0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      -2.430093356833875_dp, -0.2063599157091915_dp, 0.0_dp, 0.0_dp, 0.0_dp, &
      -0.1073529058151375_dp, -9.594562251023355_dp, -20.47028614809616_dp, 0.0_dp, 0.0_dp, &
      7.496443313967647_dp, -10.24680431464352_dp, -33.99990352819905_dp, 11.7089089320616_dp, 0.0_dp, &
      8.083246795921522_dp, -7.981132988064893_dp, -31.52159432874371_dp, 16.31930543123136_dp, &
      -6.058818238834054_dp], [5, 6])
    real(dp), parameter :: d2(5) = [10.12623508344586_dp, -7.487995877610167_dp, -34.80091861555747_dp, &
                                    -7.992771707568823_dp, 1.025137723295662_dp]
    real(dp), parameter :: d3(5) = [-0.6762803392801253_dp, 6.087714651680015_dp, 16.43084320892478_dp, &
                                    24.76722511418386_dp, -6.594389125716872_dp]
    real(dp), parameter :: alpha(6) = [0.0_dp, 0.386_dp, 0.21_dp, 0.63_dp, 1.0_dp, 1.0_dp]
    real(dp), parameter :: gamma(6) = [0.25_dp, -0.1043_dp, 0.1035_dp, -0.0362_dp, 0.0_dp, 0.0_dp]
    real(dp), save :: w(nx_, nx_), u(nx_, 6), f(nx_), ft(nx_), y(nx_), delta
    real(dp), save :: rate_before(nx_)  ! the diagonal of the Jacobian
    integer :: pivot(nx_), i, j, s
    logical :: bad

    good = .false.
    delta = 1e-7_dp * max(abs(h), 1e-6_dp * abs(t))
    call derivatives_(t, x_, f, bad)
    if (bad) return
    call rate_partials_(good)
    if (.not. good) return
    good = .false.
    call derivatives_(t + delta, x_, ft, bad)
    if (bad) return
    ft = (ft - f) / delta
    w = -rate_matrix_(:nx_, :nx_)
    do i = 1, nx_ + zero_
      rate_before(i) = rate_matrix_(i, i)
      w(i, i) = w(i, i) + 1 / (0.25_dp * h)
    end do
    call factor_(nx_, w, pivot, good)
    if (.not. good) return
    good = .false.
    u = 0
    y = x_(:nx_)
    do s = 1, 6
      y = x_(:nx_)
      do j = 1, s - 1
        y = y + a(j, s) * u(:, j)
      end do
      if (s > 1) call derivatives_(t + alpha(s) * h, y, f, bad)
      if (bad) return
      u(:, s) = f + h * gamma(s) * ft
      do j = 1, s - 1
        u(:, s) = u(:, s) + c(j, s) / h * u(:, j)
      end do
      call solve_factored_(nx_, w, pivot, u(:, s))
    end do
    x_new_(:nx_) = y + u(:, 6)
    x_error_(:nx_) = u(:, 6)
    dense_ = 0
    dense_(1, :nx_) = x_(:nx_)
    dense_(2, :nx_) = x_new_(:nx_) - x_(:nx_)
    do j = 1, 5
      dense_(3, :nx_) = dense_(3, :nx_) + d2(j) * u(:, j)
      dense_(4, :nx_) = dense_(4, :nx_) + d3(j) * u(:, j)
    end do
    good = .false.
    call derivatives_(t + h, x_new_, f, bad)
    if (bad) return
    call rate_partials_(good)
    if (.not. good) return
    if (h < 1e-9_dp * (stop_time_ - start_time_)) return
    ! A stiff component that is far less stiff at the end, as that of a diode that begins to conduct: the stages, which
    ! have the Jacobian of the beginning, have hardly moved, and their error says nothing.
    do i = 1, nx_ + zero_
      if (h * abs(rate_before(i)) > 1 .and. abs(rate_matrix_(i, i)) < 0.1_dp * abs(rate_before(i))) good = .false.
    end do
  end subroutine
