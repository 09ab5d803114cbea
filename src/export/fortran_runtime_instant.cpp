// One instant of a translated Fortran program: equations, switches, choice of states.
#include "export/fortran_runtime.h"

namespace cutset::fortran_runtime {

const char* const instant = R"CODE(
  ! ---- one instant

  logical function rates_finite_()
    rates_finite_ = all(ieee_is_finite(v(nx_ + 1:2 * nx_)))
  end function

  subroutine equations_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    call rates_(bad)
    if (.not. bad .and. all_of_them) call others_(bad)
  end subroutine

  ! A loop may have a solution on either side of a crossing (sign(w)*w*w = u): the one that agrees with the switch
  ! counts, if there is one.
  subroutine keep_branches_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    integer :: k, at
    real(dp) :: found
    logical :: agrees

    bad = .false.
    do k = 1, nswitch_ + zero_
      at = switch_branch_(k)
      if (at == 0) cycle
      found = v(at)
      if (switch_kind_(k) == sign_kind_) then
        agrees = found * sw_(k) >= 0
      else
        agrees = (found < 0 .eqv. is_true_(sw_(k))) .or. .not. is_true_(found)
      end if
      if (agrees) cycle
      v(at) = -found
      call equations_(all_of_them, bad)
      if (.not. bad .and. v(at) * found <= 0) cycle
      v(at) = found
      problem_ = ' '
      call equations_(all_of_them, bad)
      if (bad) return
    end do
  end subroutine

  ! The continuous equations with the switches as they are. Beyond a crossing that is not located yet they may have no
  ! solution; then the relations themselves count.
  subroutine evaluate_part_(all_of_them, bad)
    logical, intent(in) :: all_of_them
    logical, intent(out) :: bad
    logical :: bad_live
    character(len=len(problem_)) :: what

    problem_ = ' '
    call equations_(all_of_them, bad)
    if (.not. bad) call keep_branches_(all_of_them, bad)
    if (nswitch_ > 0 .and. (bad .or. .not. rates_finite_())) then
      what = problem_
      live_ = .true.
      problem_ = ' '
      call equations_(all_of_them, bad_live)
      live_ = .false.
      if (.not. bad_live .and. rates_finite_()) then
        bad = .false.
        return
      end if
      if (.not. bad) call equations_(all_of_them, bad)
      problem_ = what
    end if
    bad = bad .or. problem_ /= ' '
  end subroutine

  subroutine evaluate_(bad)
    logical, intent(out) :: bad
    call evaluate_part_(.true., bad)
  end subroutine

  real(dp) function switch_value_(k)
    integer, intent(in) :: k
    real(dp) :: c, side

    c = crossing_(k)
    if (switch_timed_(k) == 1 .and. ieee_is_finite(instant_(k)) .and. is_true_(slope_(k))) then
      side = -slope_(k)  ! by the side of its instant
      if (v(time) >= instant_(k) .or. same_instant_(v(time), instant_(k))) side = slope_(k)
      select case (switch_kind_(k))
      case (sign_kind_)
        switch_value_ = merge(1, -1, side > 0)
      case (equal_kind_)
        switch_value_ = number_of_(now_equal_(k))
      case (not_equal_kind_)
        switch_value_ = number_of_(.not. now_equal_(k))
      case default
        switch_value_ = number_of_(side < 0)
      end select
      return
    end if
    select case (switch_kind_(k))
    case (less_kind_)
      switch_value_ = number_of_(c < 0)
    case (less_equal_kind_)
      switch_value_ = number_of_(c <= 0)
    case (equal_kind_)
      switch_value_ = number_of_(.not. is_true_(c))
    case (not_equal_kind_)
      switch_value_ = number_of_(is_true_(c))
    case (sign_kind_)
      switch_value_ = sign_of_(c)
    case default
      switch_value_ = aint(c)
    end select
  end function

  ! Evaluates until the switches agree with the equations.
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
        if (iteration > 20) exit  ! one after the other
      end do
      if (.not. changed) return
    end do
    bad = .true.
    problem_ = 'conditions, which switch each other without end'
  end subroutine

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

)CODE";

}  // namespace cutset::fortran_runtime
