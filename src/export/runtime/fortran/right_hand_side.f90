  ! ---- integration

  subroutine derivatives_(t, x, dx, bad)
    real(dp), intent(in) :: t, x(:)
    real(dp), intent(out) :: dx(:)
    logical, intent(out) :: bad
    v(time) = t
    v(1:nx_) = x(:nx_)
    call evaluate_part_(.false., bad)
    dx = 0
    bad = bad .or. .not. derivatives_finite_()
    if (.not. bad) dx(:nx_) = v(nx_ + 1:2 * nx_)
  end subroutine
