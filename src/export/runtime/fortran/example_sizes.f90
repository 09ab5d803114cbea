  ! The first generated part of a program, here by hand for an example with a bit of everything, so that every part of
  ! the run-time system compiles, runs and is checked; tests/runtime.py does. The model is
  !     x' = -k*x, x(0) = 1;   z**3 + z = x;   y = table(x);   d = delay(x, 0.1);   when x < 0.5: n := n + 1.
  integer, parameter :: nx_ = 1, nv_ = 9, nparameter_ = 1, ncolumn_ = 6, most_torn_ = 1, nloop_ = 1, ncolumns_ = 1
  integer, parameter :: njacobian_ = 1, has_stiff_ = 1, ntracked_ = 1, nswitch_ = 1, nstate_switch_ = 1
  integer, parameter :: crossings_need_equations_ = 0, nwhen_ = 1, naction_ = 1, nvalue_ = 1, nclock_ = 0, nvalid_ = 0
  integer, parameter :: nprevious_ = 1, ndiscrete_ = 0, njump_ = 0, ngroup_ = 0, nselection_ = 0, nfrequency_ = 0, nbreakpoint_ = 0
  integer, parameter :: together_ = 0, asks_for_end_ = 0, ndelay_ = 1, default_points_ = 11, nhomotopy_ = 0
  real(dp), parameter :: default_start_ = 0, default_stop_ = 1, default_step_ = 0, default_tolerance_ = 1e-6_dp
  real(dp), parameter :: fewest_steps_ = 300, steps_of_period_ = 20
  character(len=*), parameter :: model_name_ = 'example'

  integer, parameter :: time = 0, x = 1, der_x = 2, k = 3, y = 4, z = 5, d = 6, n = 7, pre_n = 8
