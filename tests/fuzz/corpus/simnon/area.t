" The curve R(x) whose rotation about the x-axis makes the smallest surface; x is the time. LAM is the adjoint
" variable, U the slope of the curve. E is how far the end of the curve is from the point that it should meet.

CONTINUOUS SYSTEM AREA

OUTPUT E
STATE R LAM
DER DR DLAM

U = -LAM/SQRT(4*PI*PI*R*R-LAM*LAM)
DR = U
DLAM = -2*PI*SQRT(1+U*U)
E = R-R2

R2:1
PI:3.14159

END
