" A DC motor with amplifier, and a transducer that turns the angle into a voltage.

CONTINUOUS SYSTEM MOTOR

INPUT U               " voltage of the amplifier [V]
OUTPUT Y              " voltage of the transducer [V]
STATE TH THDOT        " angle [rad] and speed [rad/s]
DER DTH DTHDT

OUTPUT
Y = CT*TH

DYNAMICS
I = (U-KM*THDOT)/R    " current [A]
ME = KM*I             " torque [N m]
DTH = THDOT
DTHDT = ME/J

CT:0.033              " [V/rad]
KM:6.2E-3             " [N m/A]
R:5.3                 " [Ohm]
J:7.5E-7              " [kg m^2]

END
