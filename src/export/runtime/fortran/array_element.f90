  ! The place of element number i in an array of n.
  integer function element_(i, n)
    real(dp), intent(in) :: i
    integer, intent(in) :: n
    element_ = 1
    if (i >= 1 .and. i < n + 1) then
      element_ = int(i)
    else
      problem_ = 'an index of a function, which is outside its array'
    end if
  end function
