PORT fluid
   SUM REAL w "mass flow"
   SUM IN REAL E "energy flow"
   EQUAL OUT REAL T "temperature"
CONTINUOUS
   E = w*T
END PORT
COMPONENT source
PORTS
   OUT fluid f
DATA
   REAL w = 1
   REAL T = 300
CONTINUOUS
   f.w = w
   f.T = T
END COMPONENT
COMPONENT pipe
PORTS
   IN fluid a
   OUT fluid b
TOPOLOGY
   PATH a TO b
CONTINUOUS
   a.w = b.w
   a.T = b.T
END COMPONENT
COMPONENT sink
PORTS
   IN fluid f
END COMPONENT
COMPONENT half IS_A sink
DATA
   REAL w = 2
CONTINUOUS
   f.w = w
END COMPONENT
COMPONENT plant
TOPOLOGY
   source s1, s2(w = 3, T = 340)
   pipe p[2]
   sink out1
   half out2
   CONNECT s1.f, s2.f TO p[1]
   EXPAND(i IN 2,2) CONNECT p[i-1] TO p[i]
   CONNECT p[2] TO out1.f, out2.f
END COMPONENT
