/* The right-hand sides of the two lines, as one writes them in C. */
void heat_by_hand(int n, double a, double left, double right, const double* x, double* dx) {
    dx[0] = a * (left - 2 * x[0] + x[1]);
    for (int i = 1; i + 1 < n; ++i) dx[i] = a * (x[i - 1] - 2 * x[i] + x[i + 1]);
    dx[n - 1] = a * (x[n - 2] - 2 * x[n - 1] + right);
}

void ladder_by_hand(int n, const double* r, const double* c, double u, const double* v, double* dv) {
    double in = (u - v[0]) / r[0];
    for (int i = 0; i + 1 < n; ++i) {
        const double out = (v[i] - v[i + 1]) / r[i + 1];
        dv[i] = (in - out) / c[i];
        in = out;
    }
    dv[n - 1] = in / c[n - 1];
}
