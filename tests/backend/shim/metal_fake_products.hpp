// Matrix multiplication for the fake of Metal, as Metal Performance Shaders are documented, within
// its unnamed namespace.

long products = 0;

constexpr unsigned float16 = 0x10000010, float32 = 0x10000020;

Natural bytes_of(unsigned elements) { return elements == float32 ? 4 : 2; }

/// `MPSMatrixDescriptor`.
struct Description : Thing {
  Description() : Thing("MPSMatrixDescriptor") {}
  Natural rows = 0, columns = 0, matrices = 0, row_bytes = 0, matrix_bytes = 0;
  unsigned elements = 0;

  bool is_possible() const {
    bool const is_known = elements == float32 || elements == float16;
    return is_known && rows > 0 && columns > 0 && matrices > 0 &&
           row_bytes % bytes_of(elements) == 0 && row_bytes >= columns * bytes_of(elements) &&
           matrix_bytes % row_bytes == 0 && matrix_bytes >= rows * row_bytes;
  }
};

/// `MPSMatrix`: it has its own description of the contents of a buffer.
struct Matrix : Thing {
  Matrix() : Thing("MPSMatrix") {}
  void end() override {
    if (buffer != nullptr) release(buffer);
  }
  Natural rows = 0, columns = 0, matrices = 0, row_bytes = 0, matrix_bytes = 0, offset = 0;
  unsigned elements = 0;
  Buffer* buffer = nullptr;
};

/// The location of a matrix's elements, valid after its object has ended.
struct Elements {
  explicit Elements(Matrix const& of)
      : begin(of.buffer->memory.get() + of.offset),
        row_bytes(of.row_bytes),
        matrix_bytes(of.matrix_bytes),
        elements(of.elements) {}

  unsigned char* at(Natural matrix, Natural row, Natural column) const {
    return begin + matrix * matrix_bytes + row * row_bytes + column * bytes_of(elements);
  }
  double operator()(Natural matrix, Natural row, Natural column) const {
    return elements == float32 ? static_cast<double>(read<float>(at(matrix, row, column)))
                               : static_cast<double>(read<_Float16>(at(matrix, row, column)));
  }
  void set(Natural matrix, Natural row, Natural column, double value) const {
    if (elements == float32) write(at(matrix, row, column), static_cast<float>(value));
    else write(at(matrix, row, column), static_cast<_Float16>(static_cast<float>(value)));
  }

  template <class T>
  static T read(void const* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class T>
  static void write(void* to, T value) {
    std::memcpy(to, &value, sizeof value);
  }

  unsigned char* begin;
  Natural row_bytes, matrix_bytes;
  unsigned elements;
};

/// `MPSMatrixMultiplication`.
struct Multiplication : Thing {
  Multiplication() : Thing("MPSMatrixMultiplication") {}
  bool transposes_left = false, transposes_right = false;
  Natural rows = 0, columns = 0, summed = 0;
  double alpha = 0, beta = 0;

  bool takes(Matrix const& left, Matrix const& right, Matrix const& result) const {
    bool const is_sum_of = result.elements == float32 || left.elements == float16;
    return has(left, transposes_left, rows, summed) &&
           has(right, transposes_right, summed, columns) && has(result, false, rows, columns) &&
           left.elements == right.elements && is_sum_of && left.matrices == result.matrices &&
           right.matrices == result.matrices;
  }
  static bool has(Matrix const& matrix, bool is_transposed, Natural rows, Natural columns) {
    if (is_transposed) std::swap(rows, columns);
    return matrix.rows >= rows && matrix.columns >= columns;
  }

  void run(Elements const& a, Elements const& b, Elements const& c, Natural matrices) const {
    for (Natural z = 0; z < matrices; ++z)
      for (Natural i = 0; i < rows; ++i)
        for (Natural j = 0; j < columns; ++j) {
          double sum = 0;
          for (Natural k = 0; k < summed; ++k)
            sum += (transposes_left ? a(z, k, i) : a(z, i, k)) *
                   (transposes_right ? b(z, j, k) : b(z, k, j));
          c.set(z, i, j, alpha * sum + (beta == 0 ? 0 : beta * c(z, i, j)));
        }
  }
};

Thing* describe(Thing*, Selector, Natural rows, Natural columns, Natural matrices,
                Natural row_bytes, Natural matrix_bytes, unsigned elements) {
  auto* const made = autoreleased(make<Description>());
  made->rows = rows, made->columns = columns, made->matrices = matrices;
  made->row_bytes = row_bytes, made->matrix_bytes = matrix_bytes, made->elements = elements;
  if (!made->is_possible()) mistake("a description of matrices that there cannot be");
  return made;
}

/// True if all arguments are alive.
template <class... T>
bool are_living(T const*... things) {
  bool const all = ((things != nullptr && things->owners > 0) && ...);
  if (!all) mistake("a product of what has ended");
  return all;
}

Thing* init_matrix(Matrix* own, Selector, Buffer* buffer, Natural offset, Description* of) {
  if (!are_living(buffer, of)) return nullptr;
  own->rows = of->rows, own->columns = of->columns, own->matrices = of->matrices;
  own->row_bytes = of->row_bytes, own->matrix_bytes = of->matrix_bytes;
  own->elements = of->elements, own->offset = offset;
  own->buffer = static_cast<Buffer*>(retain(buffer));
  bool const is_within = offset + of->matrices * of->matrix_bytes <= buffer->length;
  if (is_within && offset % bytes_of(of->elements) == 0) return own;
  mistake("a matrix beyond its buffer");
  release(own);
  return nullptr;
}

Thing* init_multiplication(Multiplication* own, Selector, Thing* device, bool transposes_left,
                           bool transposes_right, Natural rows, Natural columns, Natural summed,
                           double alpha, double beta) {
  if (device == nullptr || device->type != "MTLDevice") mistake("a product without a device");
  own->transposes_left = transposes_left, own->transposes_right = transposes_right;
  own->rows = rows, own->columns = columns, own->summed = summed;
  own->alpha = alpha, own->beta = beta;
  return own;
}

void encode_product(Multiplication* own, Selector, Commands* commands, Matrix* left, Matrix* right,
                    Matrix* result) {
  if (!are_living(commands, left, right, result)) return;
  if (commands->is_encoding) return mistake("a product before endEncoding");
  if (commands->status != 0) return mistake("a product after commit");
  if (!own->takes(*left, *right, *result)) return mistake("a product of matrices that do not fit");
  for (Matrix* const matrix : {left, right, result}) commands->keep(matrix->buffer);
  commands->has_encoder = true;
  ++products;
  commands->keep(own);
  commands->all.push_back([own, a = Elements(*left), b = Elements(*right), c = Elements(*result),
                           n = result->matrices] { own->run(a, b, c, n); });
}

void add_methods_of_products() {
  Methods{"+MPSMatrixDescriptor"}.add(
      "matrixDescriptorWithRows:columns:matrices:rowBytes:matrixBytes:dataType:", describe);
  Methods{"+MPSMatrix"}.add(
      "alloc", +[](Thing*, Selector) -> Thing* { return make<Matrix>(); });
  Methods{"MPSMatrix"}.add("initWithBuffer:offset:descriptor:", init_matrix);
  Methods{"+MPSMatrixMultiplication"}.add(
      "alloc", +[](Thing*, Selector) -> Thing* { return make<Multiplication>(); });
  Methods{"MPSMatrixMultiplication"}
      .add(
          "initWithDevice:transposeLeft:transposeRight:resultRows:resultColumns:interiorColumns:"
          "alpha:beta:",
          init_multiplication)
      .add("encodeToCommandBuffer:leftMatrix:rightMatrix:resultMatrix:", encode_product);
}
