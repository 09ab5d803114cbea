  ! The lists that describe the example, see example_sizes.f90.
  character(len=1) :: parameter_name_(1) = 'k', parameter_unit_(1) = ' '
  character(len=1) :: state_name_(1) = 'x', validity_(1) = ' ', action_message_(1) = ' '
  integer :: assertion_ends_(1) = 0
  integer :: parameter_(1) = k, parameter_structural_(1) = 0
  character(len=4) :: column_name_(6) = [character(len=4) :: 'time', 'x', 'z', 'y', 'd', 'n']
  integer :: column_(6) = [time, x, z, y, d, n]
  integer :: switch_kind_(1) = less_kind_, switch_timed_(1) = 0, switch_kink_(1) = 0, switch_branch_(1) = 0
  integer :: switch_in_loop_(1) = 0, switch_uncertain_(1) = 0
  integer :: acts_at_start_(1) = 0, branches_before_(1) = 0, actual_part_(1) = 0, delay_circular_(1) = 0, delay_varies_(1) = 0
  integer :: action_kind_(1) = assign_kind_, action_when_(1) = 1, action_target_(1) = n, action_value_(1) = 1
  integer :: action_before_(1) = pre_n, action_guard_(1) = 0
  integer :: previous_from_(1) = n, previous_to_(1) = pre_n, jump_from_(1) = 0, jump_to_(1) = 0
  real(dp) :: state_scale_(1) = 1, breakpoint_time_(1) = 0
  integer :: tracked_(1) = z, breakpoint_jumps_(1) = 0
  character(len=17) :: loop_name_(1) = 'no solution for z'
  integer :: loop_size_(1) = 1, loop_first_(1) = 1, loop_linear_(1) = 0, loop_z_(1) = z
  real(dp) :: loop_nominal_(1) = 1, loop_minimum_(1) = -huge(1.0_dp), loop_maximum_(1) = huge(1.0_dp)
  integer :: loop_inputs_(1) = 1, loop_input_first_(1) = 1, loop_input_(1) = x, loop_solved_(1) = 0
  real(dp) :: loop_found_(1) = 0, loop_found_for_(1) = 0
  integer :: loop_quantities_(1) = 0, loop_quantity_first_(1) = 1, loop_quantity_(1) = 0
  real(dp) :: loop_quantity_size_(1) = 1
  character(len=29) :: table_name_(1) = 'table y, whose range was left'
  integer :: table_nx_(1) = 3, table_ny_(1) = 0, table_first_(1) = 1, table_kind_(1) = 1, table_outside_(1) = 1
  real(dp) :: table_data_(6) = [-1.0_dp, 0.0_dp, 2.0_dp, -2.0_dp, 0.0_dp, 4.0_dp]
  integer :: group_candidates_(1) = 0, group_constraints_(1) = 0, group_states_(1) = 0, group_first_(1) = 0
  integer :: group_candidate_first_(1) = 0, group_state_first_(1) = 0, group_selector_first_(1) = 0
  integer :: group_candidate_(1) = 0, group_state_(1) = 0, group_selector_(1) = 0, group_chosen_(1) = 0
  real(dp) :: group_nominal_(1) = 0, group_weight_(1) = 0
