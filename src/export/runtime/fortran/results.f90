  ! ---- results

  subroutine write_row_
    character(len=26) :: text
    integer :: i
    call eliminated_
    last_row_ = v(time)
    do i = 1, ncolumn_ + zero_
      write (text, '(es24.16e3)') v(column_(i)) + 0.0_dp
      if (i > 1) write (out_, '(a)', advance='no') ','
      write (out_, '(a)', advance='no') trim(adjustl(text))
    end do
    write (out_, '()')
  end subroutine

  integer function output_count_()
    output_count_ = max(points_, 2)
    if (output_step_ > 0) output_count_ = ceiling((stop_time_ - start_time_) / output_step_ - 1e-9_dp) + 1
  end function

  real(dp) function output_time_(i)
    integer, intent(in) :: i
    integer :: last
    last = output_count_() - 1
    output_time_ = start_time_ + (stop_time_ - start_time_) * (real(i, dp) / real(last, dp))
    if (output_step_ > 0) output_time_ = start_time_ + i * output_step_
    if (i >= last) output_time_ = stop_time_
  end function
