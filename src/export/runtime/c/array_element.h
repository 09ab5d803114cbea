#include "values.h"

/* The place of element number i in an array of n. */
static int element(double i, int n)
{
    if (i >= 1 && i <= n) return (int)i - 1;
    problem = "an index of a function, which is outside its array";
    return 0;
}
