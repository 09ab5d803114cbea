/* Inverse dynamics of the Stanford arm over the number type REAL, in the coordinates of the room about its origin, so that spatial
   vectors of all limbs can be added as they are. Included for double, and for complex double: the derivative of an analytic function f is
   the imaginary part of f(x + ih)/h, exact to rounding for h = 1e-30. */

typedef struct {
    REAL w[3], v[3]; /* turning, and the velocity of what passes the origin; or moment and force */
} NAME(Spatial);

static inline void NAME(cross)(const REAL *a, const REAL *b, REAL *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
static inline REAL NAME(dot)(const REAL *a, const REAL *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct {
    NAME(Spatial) s;             /* axis of the joint before the limb */
    REAL h[3];                   /* mass times the place of the centre of mass */
    REAL i[6];                   /* inertia about the origin: xx yy zz xy xz yz */
} NAME(Link);

static inline void NAME(apply)(double m, const REAL *h, const REAL *i, const NAME(Spatial) * u, NAME(Spatial) * f) {
    REAL c[3];
    NAME(cross)(h, u->v, c);
    f->w[0] = i[0] * u->w[0] + i[3] * u->w[1] + i[4] * u->w[2] + c[0];
    f->w[1] = i[3] * u->w[0] + i[1] * u->w[1] + i[5] * u->w[2] + c[1];
    f->w[2] = i[4] * u->w[0] + i[5] * u->w[1] + i[2] * u->w[2] + c[2];
    NAME(cross)(h, u->w, c);
    for (int k = 0; k < 3; ++k) f->v[k] = m * u->v[k] - c[k];
}

static void NAME(place)(const REAL *q, NAME(Link) * link) {
    REAL r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, p[3] = {0, 0, 0};
    for (int k = 0; k < 6; ++k) {
        const Limb *b = &limbs[k];
        NAME(Link) *l = &link[k];
        const int n = b->axis;
        REAL axis[3] = {r[0][n], r[1][n], r[2][n]};
        if (b->slides) {
            for (int i = 0; i < 3; ++i) {
                l->s.w[i] = 0;
                l->s.v[i] = axis[i];
                p[i] += axis[i] * q[k];
            }
        } else {
            for (int i = 0; i < 3; ++i) l->s.w[i] = axis[i];
            NAME(cross)(p, axis, l->s.v);
            const int x = (n + 1) % 3, y = (n + 2) % 3;
            const REAL c = COS(q[k]), s = SIN(q[k]);
            for (int i = 0; i < 3; ++i) {
                const REAL u = r[i][x], v = r[i][y];
                r[i][x] = c * u + s * v;
                r[i][y] = c * v - s * u;
            }
        }
        REAL g[3];
        for (int i = 0; i < 3; ++i) {
            g[i] = p[i] + r[i][0] * b->c[0] + r[i][1] * b->c[1] + r[i][2] * b->c[2];
            l->h[i] = b->m * g[i];
        }
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        const REAL gg = NAME(dot)(g, l->h);
        for (int e = 0; e < 6; ++e) {
            const int i = row[e], j = column[e];
            l->i[e] = r[i][0] * b->j[0] * r[j][0] + r[i][1] * b->j[1] * r[j][1] + r[i][2] * b->j[2] * r[j][2] - l->h[i] * g[j];
            if (e < 3) l->i[e] += gg;
        }
        for (int i = 0; i < 3; ++i) p[i] += r[i][0] * b->d[0] + r[i][1] * b->d[1] + r[i][2] * b->d[2];
    }
}

/* Forces of the joints for the motion q, qd, qdd under gravity. */
static void NAME(inverse)(const NAME(Link) * link, const REAL *qd, const REAL *qdd, REAL *tau) {
    NAME(Spatial) f[6], u = {{0, 0, 0}, {0, 0, 0}}, a = {{0, 0, 0}, {0, 0, 9.81}};
    for (int k = 0; k < 6; ++k) {
        const NAME(Link) *l = &link[k];
        NAME(Spatial) s = l->s;
        REAL c[3], d[3];
        /* a += s*qdd + u x (s*qd); u x s the same before and after adding s*qd to u */
        NAME(cross)(u.w, s.w, c);
        for (int i = 0; i < 3; ++i) a.w[i] += s.w[i] * qdd[k] + c[i] * qd[k];
        NAME(cross)(u.w, s.v, c);
        NAME(cross)(u.v, s.w, d);
        for (int i = 0; i < 3; ++i) a.v[i] += s.v[i] * qdd[k] + (c[i] + d[i]) * qd[k];
        for (int i = 0; i < 3; ++i) {
            u.w[i] += s.w[i] * qd[k];
            u.v[i] += s.v[i] * qd[k];
        }
        NAME(Spatial) p;
        NAME(apply)(limbs[k].m, l->h, l->i, &a, &f[k]);
        NAME(apply)(limbs[k].m, l->h, l->i, &u, &p);
        NAME(cross)(u.w, p.w, c);
        NAME(cross)(u.v, p.v, d);
        for (int i = 0; i < 3; ++i) f[k].w[i] += c[i] + d[i];
        NAME(cross)(u.w, p.v, c);
        for (int i = 0; i < 3; ++i) f[k].v[i] += c[i];
    }
    for (int k = 5; k >= 0; --k) {
        tau[k] = NAME(dot)(link[k].s.w, f[k].w) + NAME(dot)(link[k].s.v, f[k].v);
        if (k > 0)
            for (int i = 0; i < 3; ++i) {
                f[k - 1].w[i] += f[k].w[i];
                f[k - 1].v[i] += f[k].v[i];
            }
    }
}
