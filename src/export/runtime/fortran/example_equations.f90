  ! The equations of the example, see example_sizes.f90.

  subroutine set_data_
  end subroutine

  subroutine parameters_
    if (.not. given_(1)) v(k) = 1
  end subroutine

  subroutine clocks_
  end subroutine

  subroutine guesses_
    v(x) = 1
    v(z) = 0.5_dp
  end subroutine

  subroutine residuals_(k_)
    integer, intent(in) :: k_
    if (k_ == 1) residual_(1) = v(z)**3 + v(z) - v(x)
  end subroutine

  subroutine partials_(k_)
    integer, intent(in) :: k_
    if (k_ == 1) jacobian_(1) = 3 * v(z)**2 + 1
  end subroutine

  subroutine state_derivatives_(bad_)
    logical, intent(out) :: bad_
    bad_ = .false.
    v(der_x) = -v(k) * v(x)
  end subroutine

  subroutine auxiliaries_(bad_)
    logical, intent(out) :: bad_
    call solve_(1, bad_)  ! z
    if (bad_) return
    v(y) = table_value_(1, v(x), 0.0_dp, 0, 0)
    v(d) = delayed_(1, v(time) - 0.1_dp)
  end subroutine

  subroutine initial_(bad_)
    logical, intent(out) :: bad_
    v(x) = 1
    call state_derivatives_(bad_)
    if (.not. bad_) call auxiliaries_(bad_)
  end subroutine

  subroutine homotopy_(bad_)
    logical, intent(out) :: bad_
    bad_ = .false.
  end subroutine

  subroutine jump_(bad_)
    logical, intent(out) :: bad_
    bad_ = .false.
  end subroutine

  subroutine eliminated_
  end subroutine

  subroutine crossings_
    crossing_(1) = v(x) - 0.5_dp
  end subroutine

  subroutine conditions_
    condition_(1) = number_of_(switched_(1, v(x) < 0.5_dp))
    delay_argument_(1) = v(x)
    delay_duration_(1) = 0.1_dp
  end subroutine

  subroutine selections_
  end subroutine

  subroutine state_jacobian_elements_
    jacobian_(1) = -v(k)
  end subroutine

  subroutine when_values_(k_)
    integer, intent(in) :: k_
    if (k_ == 1) value_(1) = v(pre_n) + 1
  end subroutine
