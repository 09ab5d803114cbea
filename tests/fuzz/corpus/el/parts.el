ENUM Gas = {O2, N2, CO2}
CONST REAL two = 2
FUNCTION REAL poly(REAL x, INTEGER n)
DECLS
   REAL s = 0
BODY
   FOR (i IN 1,n)
      s = s + x**i
   END FOR
   RETURN s
END FUNCTION
ABSTRACT COMPONENT base
DATA
   REAL k = 1
   REAL m = 1
DECLS
   REAL x
CONTINUOUS
   <law> m*x'' = -k*x
END COMPONENT
ABSTRACT COMPONENT named (BOOLEAN damped = FALSE, SET_OF(Gas) mix = {O2, CO2})
DECLS
   REAL f
   REAL c[mix]
CONTINUOUS
   IF (damped) INSERT
      f = 0.1
   ELSE
      f = 0
   END IF
   EXPAND (g IN mix EXCEPT CO2) c[g] = 0.25
   c[CO2] = 1 - SUM(g IN mix EXCEPT CO2; c[g])
END COMPONENT
COMPONENT spring IS_A base, named
   CLOSE k = 4
DATA
   TABLE_1D t = {{0, 1, 2}, {0, 10, 0}}
DECLS
   REAL y, z
INIT
   x = 5
INIT PRIORITY 10
   x = 7
   x' = two*x
CONTINUOUS
   <:law> m*x'' = -k*x - f*x'
   y = linearInterp1D(t, 1.5) + poly(2, 3)
   z = x**2 - -2**2
END COMPONENT
COMPONENT both
TOPOLOGY
   spring a
   spring(damped = TRUE) b(m = 2)
END COMPONENT
