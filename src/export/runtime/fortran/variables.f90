  ! ---- what the parts below share

  integer, parameter :: less_kind_ = 0, less_equal_kind_ = 1, equal_kind_ = 2, not_equal_kind_ = 3  ! of switches
  integer, parameter :: sign_kind_ = 4, truncate_kind_ = 5, floor_kind_ = 6
  integer, parameter :: assign_kind_ = 0, reinit_kind_ = 1, terminate_kind_ = 2  ! of actions of when clauses

  real(dp), target :: v(0:nv_ - 1) = 0            ! every quantity of the model: v(name)
  real(dp) :: sw_(max(1, nswitch_)) = 0, sw_before_(max(1, nswitch_)) = 0  ! relations, sign, int between events
  real(dp) :: crossing_(max(1, nswitch_)) = 0, instant_(max(1, nswitch_)) = 0, slope_(max(1, nswitch_)) = 0
  logical :: now_equal_(max(1, nswitch_)) = .false., muted_(max(1, nswitch_)) = .false.
  real(dp) :: sw_offset_(max(1, nswitch_)) = 0   ! counts as a part of the crossing: by so much a side was left
  real(dp) :: sw_largest_(max(1, nswitch_)) = 0  ! size of the crossing so far
  real(dp) :: at_event_(max(1, nswitch_)) = 0    ! the crossing at the last event
  logical :: unmoved_(max(1, nswitch_)) = .false.  ! since then: the value that the event gave it counts
  logical :: forced_(max(1, nswitch_)) = .false.  ! during an event: has this value as long as its crossing stays
  real(dp) :: forced_value_(max(1, nswitch_)) = 0, forced_crossing_(max(1, nswitch_)) = 0
  real(dp) :: at_entry_(max(1, nswitch_)) = 0     ! of settling: values of the switches
  logical :: involved_(max(1, nswitch_)) = .false.  ! those that disagreed in a search
  logical :: open_allowed_ = .false.              ! linear loops may leave unknowns open
  integer :: open_directions_(max(1, nloop_)) = 0  ! how many of them are open, by loop
  integer :: shifted_loop_ = 0, shifted_direction_ = 0  ! not its nearest solution, but away from it
  real(dp) :: values_before_(0:nv_ - 1) = 0       ! the event
  integer :: kinks_(max(1, nswitch_)) = 0, recent_kinks_(max(1, nswitch_)) = 0
  real(dp) :: kinks_since_(max(1, nswitch_)) = 0
  real(dp) :: ticking_(max(1, nclock_)) = 0, clock_first_(max(1, nclock_)) = 0, clock_period_(max(1, nclock_)) = 0
  real(dp) :: clock_ticks_(max(1, nclock_)) = 0
  real(dp) :: condition_(max(1, nwhen_)) = 0, valid_(max(1, nvalid_)) = 0, value_(max(1, nvalue_)) = 0
  logical :: active_(max(1, nwhen_)) = .false.   ! when clauses that act in this iteration
  integer :: setter_(0:nv_ - 1) = 0              ! the first action that counts for a variable; 0: none
  logical :: held_(max(1, nwhen_)) = .false., left_(max(1, nvalid_)) = .false.
  real(dp) :: delay_argument_(max(1, ndelay_)) = 0, delay_duration_(max(1, ndelay_)) = 0
  real(dp) :: delay_now_ = -huge(1.0_dp)  ! where the equations are evaluated
  logical :: delay_asked_ = .false.       ! for a value of the step that is being tried
  real(dp) :: selection_(max(1, nselection_)) = 0, frequency_(max(1, nfrequency_)) = 0
  real(dp) :: residual_(max(1, most_torn_)) = 0, jacobian_(max(1, njacobian_)) = 0
  logical :: given_(max(1, nparameter_)) = .false.
  integer :: zero_ = 0           ! lets compilers not complain about loops over nothing
  logical :: live_ = .false.     ! relations are evaluated anew; else they have their stored values
  logical :: ending_ = .false.
  logical :: starting_ = .false., only_of_start_ = .false., after_start_ = .false.  ! no clauses act but those of start()
  character(len=200) :: problem_ = ' '  ! of the last evaluation that failed

  real(dp) :: x_(max(1, nx_)) = 0, x_new_(max(1, nx_)) = 0, x_error_(max(1, nx_)) = 0, dense_(5, max(1, nx_)) = 0
  real(dp) :: rate_(7, max(1, nx_)) = 0, absolute_(max(1, nx_)) = 0, tracked_before_(max(1, ntracked_)) = 0
  real(dp) :: rate_matrix_(max(1, nx_), max(1, nx_)) = 0
  real(dp) :: local_tolerance_ = 0, max_step_ = 0
  real(dp) :: start_time_ = default_start_, stop_time_ = default_stop_, output_step_ = default_step_
  real(dp) :: tolerance_ = default_tolerance_, last_row_ = -huge(1.0_dp)  ! its time
  integer :: points_ = default_points_, next_output_ = 0, out_ = 6
  integer :: stiffness_ = 0, calm_ = 0, fired_ = 1, solver_ = 0  ! 0 auto, 1 dopri, 2 rodas
  logical :: first_same_ = .false., terminated_ = .false., use_rodas_ = .false.
