/* The number of terms of s_outer[s_inner] by Symmetrica: symmetrica_plethysm 2,2 4,3,2
 * Built by scripts/bench where libsymmetrica-dev is installed; no part of the library. */
#include <symmetrica/def.h>
#include <symmetrica/macro.h>

static void read_partition(const char* text, OP result) {
  int parts[64], n = 0, i;
  OP vector = callocobject();
  for (; *text && n < 64; ++n) {
    parts[n] = (int)strtol(text, (char**)&text, 10);
    if (*text == ',') ++text;
  }
  m_il_v(n, vector);
  for (i = 0; i < n; ++i) m_i_i(parts[n - 1 - i], s_v_i(vector, i)); /* increasing */
  b_ks_pa(VECTOR, vector, result);
}

int main(int argc, char** argv) {
  OP outer, inner, sum;
  long terms = 0;
  if (argc != 3) return 2;
  anfang();
  outer = callocobject(), inner = callocobject(), sum = callocobject();
  read_partition(argv[1], outer);
  read_partition(argv[2], inner);
  schur_schur_plet(outer, inner, sum);
  for (OP z = sum; z != NULL; z = s_s_n(z)) ++terms;
  printf("%ld\n", terms);
  return 0;
}
