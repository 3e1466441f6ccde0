/* A table file from plain C: c_example TABLE. Applies the layer, checks it against W, and the gradient against a
 * difference. Exit status 0 if all is right. */
#include <intertwine/intertwine_numeric.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, intertwine_last_error());
  return 1;
}

/* Layers on sets of every size by the same two parameters: y_i = theta_0 x_i + theta_1 (the sum of all x_j) + bias. */
static int check_diagrams(void) {
  intertwine_diagrams* sets = NULL;
  intertwine_diagrams_shape shape;
  int32_t words[4], one;
  const double theta[2] = {3, 5}, bias[1] = {7}, x[6] = {1, 2, 4, -1, 0, 1}, dy[6] = {1, 0, 0, 2, 0, 1};
  double y[6], dx[6], dtheta[2], dbias[1];
  uint64_t n, k;
  int wrong = 0;
  if (intertwine_diagrams_new("a", "a", "Q(n)", 0, 1, 1, &sets) != INTERTWINE_BAD_ARGUMENT || sets != NULL) return 1;
  if (intertwine_diagrams_open("/no/such/table", &sets) != INTERTWINE_BAD_FILE || sets != NULL) return 1;
  if (intertwine_diagrams_new("a", "a", "S(n)", 0, 1, 1, &sets) != INTERTWINE_OK) return failed("diagrams");
  if (intertwine_diagrams_shape_of(sets, &shape) != INTERTWINE_OK) return failed("shape of diagrams");
  wrong += shape.params != 2 || shape.bias_params != 1 || shape.letters != 1 || shape.axes_in != 1 || shape.sha256[63] == 0;
  wrong += intertwine_diagrams_words(sets, 0, words, 4) != INTERTWINE_OK || words[1] != 0 || words[3] != 1;
  wrong += intertwine_diagrams_words(sets, 1, &one, 1) != INTERTWINE_OK || one != 0;
  for (n = 2; n <= 6; n += 4) {
    double sum = 0, all = 0;
    if (intertwine_diagrams_apply(sets, INTERTWINE_F64, &n, 1, 1, x, n, theta, 2, bias, 1, y, n, 2) != INTERTWINE_OK ||
        intertwine_diagrams_gradients(sets, INTERTWINE_F64, &n, 1, 1, x, n, dy, n, theta, 2, dx, n, dtheta, 2, dbias, 1, 1) !=
            INTERTWINE_OK)
      return failed("layer of diagrams");
    for (k = 0; k < n; ++k) sum += x[k], all += dy[k];
    for (k = 0; k < n; ++k) {
      wrong += y[k] != 3 * x[k] + 5 * sum + 7 || dx[k] != 3 * dy[k] + 5 * all;
      dtheta[0] -= dy[k] * x[k];
    }
    wrong += dtheta[0] != 0 || dtheta[1] != sum * all || dbias[0] != all;
    wrong += intertwine_diagrams_apply(sets, INTERTWINE_F64, &n, 1, 1, x, n - 1, theta, 2, NULL, 0, y, n, 1) !=
             INTERTWINE_BAD_ARGUMENT;
    wrong += intertwine_diagrams_apply(sets, INTERTWINE_F16, &n, 1, 1, x, n, theta, 2, NULL, 0, y, n, 1) !=
             INTERTWINE_BAD_ARGUMENT;
  }
  intertwine_diagrams_free(sets);
  return wrong;
}

int main(int argc, char** argv) {
  intertwine_table *table = NULL, *none = NULL;
  intertwine_layer* layer = NULL;
  intertwine_shape shape;
  intertwine_mode ran;
  double *theta, *bias, *W, *x, *y, *dy, *dtheta, plus = 0, minus = 0;
  uint64_t parameters, biases, inputs, outputs, k, r, c;
  const uint64_t batch = 3;
  int wrong = 0, step;

  if (argc != 2 || intertwine_numeric_version() >> 16 != INTERTWINE_NUMERIC_VERSION >> 16) return 2;
  if (intertwine_table_open("/no/such/table", &none) != INTERTWINE_BAD_FILE || none != NULL) return 3;
  if (intertwine_last_error()[0] == '\0') return 3;
  if (intertwine_table_open(argv[1], &table) != INTERTWINE_OK) return failed("open");
  if (intertwine_table_shape(table, &shape) != INTERTWINE_OK) return failed("shape");
  parameters = shape.params * shape.channels_out * shape.channels_in;
  biases = shape.bias_params * shape.channels_out;
  inputs = shape.channels_in * shape.cols;
  outputs = shape.channels_out * shape.rows;
  theta = malloc(sizeof(double) * (parameters + 1));
  bias = malloc(sizeof(double) * (biases + 1));
  W = malloc(sizeof(double) * (inputs * outputs + 1));
  x = malloc(sizeof(double) * (batch * inputs + 1));
  y = malloc(sizeof(double) * (batch * outputs + 1));
  dy = malloc(sizeof(double) * (batch * outputs + 1));
  dtheta = malloc(sizeof(double) * (parameters + 1));
  if (!theta || !bias || !W || !x || !y || !dy || !dtheta) return 2;
  for (k = 0; k < parameters; ++k) theta[k] = (double)(k % 5) - 2;
  for (k = 0; k < biases; ++k) bias[k] = (double)k + 1;
  for (k = 0; k < batch * inputs; ++k) x[k] = (double)(k % 7) - 3;
  for (k = 0; k < batch * outputs; ++k) dy[k] = (double)(k % 3) - 1;

  if (intertwine_materialise(table, INTERTWINE_F64, theta, parameters, W, inputs * outputs, 0, 1) != INTERTWINE_OK)
    return failed("materialise");
  if (intertwine_materialise(table, INTERTWINE_F64, theta, parameters + 1, W, inputs * outputs, 0, 1) !=
      INTERTWINE_BAD_ARGUMENT)
    return 3;
  if (intertwine_layer_new(table, INTERTWINE_F64, theta, parameters, NULL, 0, &layer) != INTERTWINE_OK)
    return failed("layer");
  if (intertwine_layer_apply(layer, batch, x, batch * inputs, y, batch * outputs, INTERTWINE_LOOKUP, 1, &ran) !=
      INTERTWINE_OK)
    return failed("apply");
  wrong += ran != INTERTWINE_LOOKUP;
  for (k = 0; k < batch; ++k)
    for (r = 0; r < outputs; ++r) {
      double sum = 0;
      for (c = 0; c < inputs; ++c) sum += W[r * inputs + c] * x[k * inputs + c];
      wrong += sum != y[k * outputs + r];
    }
  if (intertwine_layer_gradients(layer, batch, x, batch * inputs, dy, batch * outputs, NULL, 0, dtheta, parameters, NULL,
                                 0, INTERTWINE_AUTOMATIC, 1) != INTERTWINE_OK)
    return failed("gradients");
  intertwine_layer_free(layer);
  for (step = -1; step <= 1 && parameters > 0; step += 2) { /* the layer is linear: differences are exact */
    theta[0] += step;
    if (intertwine_layer_new(table, INTERTWINE_F64, theta, parameters, bias, biases, &layer) != INTERTWINE_OK)
      return failed("layer");
    if (intertwine_layer_apply(layer, batch, x, batch * inputs, y, batch * outputs, INTERTWINE_AUTOMATIC, 2, NULL) !=
        INTERTWINE_OK)
      return failed("apply");
    for (k = 0; k < batch * outputs; ++k) *(step > 0 ? &plus : &minus) += dy[k] * y[k];
    theta[0] -= step;
    intertwine_layer_free(layer);
  }
  if (parameters > 0) wrong += fabs((plus - minus) / 2 - dtheta[0]) > 1e-9;
  /* The same without a layer: the numbers are whole, so that every form is exact. */
  for (step = INTERTWINE_AUTOMATIC; step <= INTERTWINE_IMPLICIT; ++step) {
    if (intertwine_apply(table, INTERTWINE_F64, batch, x, batch * inputs, NULL, theta, parameters, NULL, 0, y,
                         batch * outputs, NULL, (intertwine_mode)step, 2, &ran) != INTERTWINE_OK)
      return failed("apply");
    plus = minus = 0;
    for (k = 0; k < batch * outputs; ++k) plus += dy[k] * y[k];
    if (intertwine_outer(table, INTERTWINE_F64, batch, x, batch * inputs, NULL, dy, batch * outputs, NULL, dtheta,
                         parameters, (intertwine_mode)step, 1, NULL) != INTERTWINE_OK)
      return failed("outer");
    for (k = 0; k < parameters; ++k) minus += dtheta[k] * theta[k];
    wrong += plus != minus;
  }
  if (intertwine_apply(table, INTERTWINE_F64, batch, NULL, 0, NULL, theta, parameters, NULL, 0, y, batch * outputs, NULL,
                       INTERTWINE_AUTOMATIC, 1, NULL) != INTERTWINE_BAD_ARGUMENT)
    return 3;
  wrong += check_diagrams();
  printf("%s: %llu x %llu, %llu parameters, %d wrong\n", intertwine_instruction_set(), (unsigned long long)outputs,
         (unsigned long long)inputs, (unsigned long long)parameters, wrong);
  intertwine_table_free(table);
  free(theta), free(bias), free(W), free(x), free(y), free(dy), free(dtheta);
  return wrong == 0 ? 0 : 1;
}
