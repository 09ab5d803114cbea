  ! Linear equations: LU with row pivoting, rows scaled.
  subroutine factor_(n, a, pivot, good)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(n, n)
    integer, intent(out) :: pivot(n)
    logical, intent(out) :: good
    real(dp) :: scale(n), row(n), s
    integer :: i, k, best

    good = .false.
    pivot = 1
    do i = 1, n
      s = maxval(abs(a(i, :)))
      if (.not. s > 0 .or. s > huge(s)) return
      scale(i) = 1 / s
    end do
    do k = 1, n
      best = k
      do i = k + 1, n
        if (abs(a(i, k)) * scale(i) > abs(a(best, k)) * scale(best)) best = i
      end do
      if (.not. abs(a(best, k)) * scale(best) > 1e-15_dp) return
      pivot(k) = best
      if (best /= k) then
        row = a(k, :)
        a(k, :) = a(best, :)
        a(best, :) = row
        s = scale(k)
        scale(k) = scale(best)
        scale(best) = s
      end if
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
        if (is_true_(a(i, k))) a(i, k + 1:) = a(i, k + 1:) - a(i, k) * a(k, k + 1:)
      end do
    end do
    good = .true.
  end subroutine

  subroutine solve_factored_(n, a, pivot, b)
    integer, intent(in) :: n, pivot(n)
    real(dp), intent(in) :: a(n, n)
    real(dp), intent(inout) :: b(n)
    real(dp) :: s
    integer :: i

    do i = 1, n
      s = b(pivot(i))
      b(pivot(i)) = b(i)
      b(i) = s
    end do
    do i = 2, n
      b(i) = b(i) - dot_product(a(i, :i - 1), b(:i - 1))
    end do
    do i = n, 1, -1
      b(i) = (b(i) - dot_product(a(i, i + 1:), b(i + 1:))) / a(i, i)
    end do
  end subroutine
