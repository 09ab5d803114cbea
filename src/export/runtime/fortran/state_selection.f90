  ! ---- choice of states among variables that constraints tie

  logical function is_bad_choice_(g, m, n, j)
    integer, intent(in) :: g, m, n
    real(dp), intent(in) :: j(m, n)
    real(dp) :: d(m, m), column(m)
    integer :: pivot(m), c, k, i
    logical :: good

    is_bad_choice_ = .true.
    k = 0
    do c = 1, n
      if (any(group_chosen_(group_state_first_(g):group_state_first_(g) + group_states_(g) - 1) == c)) cycle
      k = k + 1
      d(:, k) = j(:, c)
    end do
    call factor_(m, d, pivot, good)
    if (.not. good) return
    do i = 1, group_states_(g)
      column = j(:, group_chosen_(group_state_first_(g) + i - 1))
      call solve_factored_(m, d, pivot, column)
      if (.not. all(abs(column) <= 2.5_dp)) return
    end do
    is_bad_choice_ = .false.
  end function

  subroutine set_chosen_(g)
    integer, intent(in) :: g
    integer :: i, c, at
    do i = 1, group_states_(g)
      at = group_state_first_(g) + i - 1
      do c = 1, group_candidates_(g)
        v(group_selector_(group_selector_first_(g) + (i - 1) * group_candidates_(g) + c - 1)) = &
          merge(1, 0, c == group_chosen_(at))
      end do
      v(group_state_(at)) = v(group_candidate_(group_candidate_first_(g) + group_chosen_(at) - 1))
    end do
  end subroutine

  ! Elimination with the largest element as pivot; its columns become the dependent variables.
  subroutine choose_group_(g, m, n, j)
    integer, intent(in) :: g, m, n
    real(dp), intent(inout) :: j(m, n)
    logical :: row_done(m), dependent(n)
    integer :: k, r, c, p, q, next
    real(dp) :: best, size_of

    row_done = .false.
    dependent = .false.
    do k = 1, m
      p = 0
      q = 0
      best = 0
      do r = 1, m
        do c = 1, n
          if (row_done(r) .or. dependent(c)) cycle
          size_of = abs(j(r, c)) / group_weight_(group_candidate_first_(g) + c - 1)
          if (size_of > best) then
            best = size_of
            p = r
            q = c
          end if
        end do
      end do
      if (p == 0) return  ! a singular position: the choice stays
      row_done(p) = .true.
      dependent(q) = .true.
      do r = 1, m
        if (.not. row_done(r)) j(r, :) = j(r, :) - j(r, q) / j(p, q) * j(p, :)
      end do
    end do
    next = group_state_first_(g)
    do c = 1, n
      if (dependent(c)) cycle
      group_chosen_(next) = c
      next = next + 1
    end do
    call set_chosen_(g)
  end subroutine

  ! Whether other states were chosen. `always`: also where the present ones are good.
  subroutine choose_states_(always, changed)
    logical, intent(in) :: always
    logical, intent(out) :: changed
    integer :: g

    changed = .false.
    if (ngroup_ == 0) return
    call selections_
    do g = 1, ngroup_ + zero_
      call one_group(group_constraints_(g), group_candidates_(g))
    end do
  contains
    subroutine one_group(m, n)
      integer, intent(in) :: m, n
      real(dp) :: j(m, n), largest
      integer :: r, c
      do r = 1, m
        do c = 1, n
          j(r, c) = selection_(group_first_(g) + (r - 1) * n + c) * group_nominal_(group_candidate_first_(g) + c - 1)
          if (.not. ieee_is_finite(j(r, c))) j(r, c) = 0
        end do
        largest = maxval(abs(j(r, :)))
        if (largest > 0) j(r, :) = j(r, :) / largest
      end do
      if (always) then
        call set_chosen_(g)
      else if (.not. is_bad_choice_(g, m, n, j)) then
        return
      end if
      call choose_group_(g, m, n, j)
      changed = .true.
    end subroutine
  end subroutine
