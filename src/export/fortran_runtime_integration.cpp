// Integration in a translated Fortran program: methods of one step, location of events, the run.
#include "export/fortran_runtime.h"

namespace cutset::fortran_runtime {

const char* const stiff =
    R"CODE(  ! J = A - B E^-1 C, where the columns after the states are the iterated unknowns of loops.
  subroutine rate_partials_(good)
    logical, intent(out) :: good
    real(dp), save :: whole(ncolumns_, ncolumns_), e(ncolumns_ - nx_, ncolumns_ - nx_), c(ncolumns_ - nx_)
    integer :: pivot(ncolumns_ - nx_), j

    jacobian_(:ncolumns_**2) = 0
    call rate_elements_
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
    good = .true.
  end subroutine
)CODE";

const char* const integration = R"CODE(  ! ---- integration

  subroutine derivatives_(t, x, dx, bad)
    real(dp), intent(in) :: t, x(:)
    real(dp), intent(out) :: dx(:)
    logical, intent(out) :: bad
    v(time) = t
    v(1:nx_) = x(:nx_)
    call evaluate_part_(.false., bad)
    dx = 0
    bad = bad .or. .not. rates_finite_()
    if (.not. bad) dx(:nx_) = v(nx_ + 1:2 * nx_)
  end subroutine

@STIFF@
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

  function interpolated_(part) result(y)
    real(dp), intent(in) :: part
    real(dp) :: y(max(1, nx_)), rest
    rest = 1 - part
    y = dense_(1, :) + part * (dense_(2, :) + rest * (dense_(3, :) + part * (dense_(4, :) + rest * dense_(5, :))))
  end function

  real(dp) function error_size_(error, a, b)
    real(dp), intent(in) :: error(:), a(:), b(:)
    error_size_ = 0
    if (nx_ > 0) error_size_ = &
      sqrt(sum((error(:nx_) / (absolute_(:nx_) + local_tolerance_ * max(abs(a(:nx_)), abs(b(:nx_)))))**2) / max(1, nx_))
  end function

  real(dp) function first_step_(t)
    real(dp), intent(in) :: t
    real(dp) :: f(max(1, nx_)), size_of, rate
    logical :: bad
    first_step_ = max_step_
    if (nx_ == 0) return
    call derivatives_(t, x_, f, bad)
    if (bad) return
    size_of = error_size_(x_, x_, x_)
    rate = error_size_(f, x_, x_)
    first_step_ = 1e-6_dp * (stop_time_ - start_time_)
    if (rate > 1e-10_dp .and. size_of > 1e-10_dp) first_step_ = 0.01_dp * size_of / rate
    first_step_ = min(first_step_, max_step_)
  end function

  ! Whether the frozen switches differ from what their crossings say.
  logical function disagrees_()
    integer :: k
    real(dp) :: c
    disagrees_ = .true.
    do k = 1, nswitch_ + zero_
      c = crossing_(k)
      if (switch_timed_(k) == 1 .or. ieee_is_nan(c) .or. muted_(k)) cycle
      fired_ = k
      select case (switch_kind_(k))
      case (less_kind_, less_equal_kind_)
        if (is_true_(c) .and. ((c < 0) .neqv. is_true_(sw_(k)))) return
      case (sign_kind_)
        if (c * sw_(k) < 0 .or. (is_true_(c) .and. .not. is_true_(sw_(k)))) return
      case (truncate_kind_)
        if (abs(c - aint(c)) > 1e-9_dp .and. .not. same_(aint(c), sw_(k))) return
      case default
      end select
    end do
    disagrees_ = .false.
  end function

  logical function disagrees_at_(t, y)
    real(dp), intent(in) :: t, y(:)
    logical :: bad
    v(time) = t
    v(1:nx_) = y(:nx_)
    disagrees_at_ = .false.
    if (crossings_need_equations_ == 1) then
      call evaluate_(bad)
      if (bad) return
    end if
    call crossings_
    disagrees_at_ = disagrees_()
  end function

  ! The first instant of the step (from, to] at which a switch changes; x_new_ becomes the states there.
  logical function find_crossing_(from, to)
    real(dp), intent(in) :: from
    real(dp), intent(inout) :: to
    real(dp) :: h, good, bad, middle
    integer :: i

    h = to - from
    good = 0
    bad = 0
    find_crossing_ = .false.
    do i = 1, 4
      middle = 0.25_dp * i
      if (i < 4) then
        find_crossing_ = disagrees_at_(from + middle * h, interpolated_(middle))
      else
        find_crossing_ = disagrees_at_(to, x_new_)
      end if
      if (find_crossing_) then
        bad = middle
        exit
      end if
      good = middle
    end do
    if (.not. find_crossing_) return
    do i = 1, 60
      if (same_instant_(from + good * h, from + bad * h)) exit
      middle = good + (bad - good) / 2
      if (disagrees_at_(from + middle * h, interpolated_(middle))) then
        bad = middle
      else
        good = middle
      end if
    end do
    to = from + bad * h
    if (bad < 1) x_new_ = interpolated_(bad)
  end function

  subroutine set_point_(t, y, bad)
    real(dp), intent(in) :: t, y(:)
    logical, intent(out) :: bad
    v(time) = t
    v(1:nx_) = y(:nx_)
    call evaluate_(bad)
  end subroutine

  subroutine write_outputs_(from, reached, h, is_event, bad)
    real(dp), intent(in) :: from, reached, h
    logical, intent(in) :: is_event
    logical, intent(out) :: bad
    real(dp), save :: saved(0:nv_ - 1)
    real(dp) :: t
    logical :: at_end

    saved = v
    bad = .false.
    do while (next_output_ < output_count_())
      t = output_time_(next_output_)
      at_end = same_instant_(t, reached) .or. same_(t, reached)
      if (t > reached .and. .not. at_end) exit
      next_output_ = next_output_ + 1
      if (at_end .and. is_event) cycle
      if (ntracked_ > 0) v(tracked_(:ntracked_)) = tracked_before_(:ntracked_) + &
        (t - from) / (reached - from) * (saved(tracked_(:ntracked_)) - tracked_before_(:ntracked_))
      if (at_end) then
        call set_point_(t, x_new_, bad)
      else
        call set_point_(t, interpolated_((t - from) / h), bad)
      end if
      if (bad) return
      call write_row_
    end do
    v = saved
  end subroutine

  ! What went wrong, or blank.
  subroutine integrate_(what)
    character(len=*), intent(out) :: what
    real(dp), save :: before(0:nv_ - 1)
    real(dp) :: h, storm_start, next_event, from, until, reached, error, used, part
    integer :: storm, i, breakpoint, worst
    logical :: restart, is_event, crossed, jumps, good, bad

    what = ' '
    h = 0
    storm = 0
    storm_start = 0
    breakpoint = 1
    restart = .true.
    next_event = next_time_event_()
    local_tolerance_ = min(tolerance_, max(merge(3e-4_dp, 0.01_dp, ngroup_ > 0) * tolerance_, 1e-13_dp))
    max_step_ = (stop_time_ - start_time_) / fewest_steps_
    do i = 1, nfrequency_ + zero_
      if (is_true_(frequency_(i)) .and. ieee_is_finite(frequency_(i))) &
        max_step_ = min(max_step_, 2 * acos(-1.0_dp) / abs(frequency_(i)) / steps_of_period_)
    end do
    do i = 1, ndelay_ + zero_
      if (delay_duration_(i) > 0) max_step_ = min(max_step_, delay_duration_(i))
    end do
    do i = 1, nx_ + zero_
      part = state_scale_(i)
      if (.not. is_true_(part)) part = abs(v(i))
      absolute_(i) = local_tolerance_ * merge(part, 1.0_dp, part > 0)
    end do
    x_(:nx_) = v(1:nx_)
    use_rodas_ = solver_ == 2
    do while (v(time) < stop_time_ .and. .not. terminated_)
      from = v(time)
      if (ndelay_ > 0) next_event = next_time_event_()
      if (same_instant_(next_event, stop_time_)) next_event = stop_time_
      do while (breakpoint <= nbreakpoint_)
        if (breakpoint_time_(breakpoint) > from .and. .not. same_instant_(breakpoint_time_(breakpoint), from)) exit
        breakpoint = breakpoint + 1
      end do
      until = min(stop_time_, next_event)
      if (breakpoint <= nbreakpoint_) until = min(until, breakpoint_time_(breakpoint))
      if (nx_ == 0 .and. ntracked_ > 0) then  ! followed in small steps, to stay on a branch
        part = (stop_time_ - start_time_) / 1000
        until = min(until, start_time_ + (floor((from - start_time_) / part + 1e-6_dp) + 1) * part)
        if (same_instant_(until, stop_time_)) until = stop_time_
      end if
      if (ntracked_ > 0) tracked_before_(:ntracked_) = v(tracked_(:ntracked_))
      before = v
      if (restart) then
        h = first_step_(from)
        first_same_ = .false.
        restart = .false.
      end if
      h = min(h, max_step_)
      do  ! a step
        if (from + 1.01_dp * h >= until) then
          used = until - from
          reached = until
        else
          used = h
          reached = from + h
        end if
        good = .true.
        if (nx_ > 0) then
          if (use_rodas_) then
            call step_rodas_(from, used, good)
          else
            call step_dopri_(from, used, good)
          end if
        end if
        error = huge(error)
        if (good) error = error_size_(x_error_, x_, x_new_)
        if (error <= 1) exit
        if (.not. error < huge(error)) v = before  ! loops begin again where they were
        part = 0.25_dp
        if (error < huge(error)) part = max(0.2_dp, 0.9_dp * error**merge(-0.25_dp, -0.2_dp, use_rodas_))
        h = used * part
        if (from + h * 1e-3_dp <= from .or. h < 1e-14_dp * (stop_time_ - start_time_)) then
          v(time) = from
          worst = maxloc(abs(x_error_) / max(absolute_, tiny(h)), 1)
          if (problem_ == ' ' .and. nx_ > 0) problem_ = state_name_(worst)
          what = 'the steps of the integration become too short'
          return
        end if
      end do
      crossed = .false.
      if (nstate_switch_ > 0) crossed = find_crossing_(from, reached)
      jumps = .false.
      good = .false.  ! here: a knot of a table is reached
      if (breakpoint <= nbreakpoint_) good = same_(reached, breakpoint_time_(breakpoint))
      if (good) jumps = breakpoint_jumps_(breakpoint) == 1
      is_event = crossed .or. jumps .or. next_event <= reached .or. same_instant_(next_event, reached)
      call set_point_(reached, x_new_, bad)
      if (.not. bad) call write_outputs_(from, reached, used, is_event, bad)
      if (.not. bad .and. ndelay_ > 0) then
        do i = 1, 7
          call set_point_(from + (reached - from) * i / 8, interpolated_((reached - from) / used * i / 8), bad)
          if (bad) exit
          call conditions_
          call record_delays_
        end do
        if (.not. bad) call set_point_(reached, x_new_, bad)
      end if
      if (bad) then
        what = 'the equations cannot be solved'
        return
      end if
      if (ndelay_ > 0 .or. nvalid_ > 0) then
        call conditions_
        call record_delays_
        if (.not. is_event) call check_validity_
      end if
      if (.not. crossed) h = used * min(5.0_dp, 0.9_dp * max(error, 1e-4_dp)**merge(-0.25_dp, -0.2_dp, use_rodas_))
      x_ = x_new_
      rate_(1, :) = rate_(7, :)
      if (is_event) then
        if (storm == 0 .or. reached - storm_start > 1e-6_dp * (stop_time_ - start_time_)) then
          storm_start = reached
          storm = 0
        end if
        storm = storm + 1
        if (crossed) then
          if (switch_kink_(fired_) == 1) then
            storm = storm - 1
            if (recent_kinks_(fired_) == 0 .or. reached - kinks_since_(fired_) > 1e-6_dp * (stop_time_ - start_time_)) then
              kinks_since_(fired_) = reached
              recent_kinks_(fired_) = 0
            end if
            recent_kinks_(fired_) = recent_kinks_(fired_) + 1
            kinks_(fired_) = kinks_(fired_) + 1
            part = (reached - start_time_) / (stop_time_ - start_time_)
            if (recent_kinks_(fired_) > 100) muted_(fired_) = .true.
            if (kinks_(fired_) > 100 .and. kinks_(fired_) > 1e4_dp * part) muted_(fired_) = .true.
          end if
        end if
        if (storm == 2000) then
          what = 'events follow each other without progress; `cutset simulate` can hold a relation at its surface, ' // &
            'this program cannot'
          return
        end if
        call write_row_
        if (jumps) v(time) = nearest(reached, 1.0_dp)
        call event_(bad)
        if (bad) then
          what = 'the equations cannot be solved'
          return
        end if
        call write_row_
        next_event = next_time_event_()
        x_(:nx_) = v(1:nx_)
        restart = .true.
      else
        call choose_states_(.false., restart)
        x_(:nx_) = v(1:nx_)
        restart = restart .or. good
      end if
      if (has_stiff_ == 1 .and. solver_ == 0 .and. .not. use_rodas_ .and. stiffness_ >= 15) then
        use_rodas_ = .true.
        restart = .true.
      end if
    end do
  end subroutine

)CODE";

}  // namespace cutset::fortran_runtime
