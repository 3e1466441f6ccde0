/* Somebody else's C99, against the installed library of the C interface alone. */
#include <intertwine/intertwine_numeric.h>
#include <stdio.h>

int main(void) {
  const int32_t codes[] = {1, 2, 2, 2, 1, 2, 2, 2, 1}, bias_codes[] = {1, 1, 1};
  const float theta[] = {10, 1}, bias[] = {100}, x[] = {1, 2, 3};
  float y[3] = {0, 0, 0};
  intertwine_table* table = NULL;
  intertwine_layer* layer = NULL;
  intertwine_mode ran = INTERTWINE_AUTOMATIC;
  if (intertwine_numeric_version() != INTERTWINE_NUMERIC_VERSION ||
      intertwine_table_from_codes(3, 3, 2, codes, 1, bias_codes, &table) != INTERTWINE_OK ||
      intertwine_layer_new(table, INTERTWINE_F32, theta, 2, bias, 1, &layer) != INTERTWINE_OK ||
      intertwine_layer_apply(layer, 1, x, 3, y, 3, INTERTWINE_DENSE, 1, &ran) != INTERTWINE_OK) {
    fprintf(stderr, "%s\n", intertwine_last_error());
    return 1;
  }
  intertwine_layer_free(layer);
  intertwine_table_free(table);
  printf("%g %g %g\n", (double)y[0], (double)y[1], (double)y[2]);
  return ran == INTERTWINE_DENSE && y[0] == 115 && y[1] == 124 && y[2] == 133 ? 0 : 1;
}
