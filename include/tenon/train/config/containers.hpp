#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/train/config/type.hpp>

namespace tenon::internal::training {

/// Defined for every type of a field by types.hpp.
template <class T>
Type const& type_of();

/// Reads elements into an object that `add` appends to. Elements have the note of their list.
template <class T>
T read_element(Value const& value, Reading const& reading, std::size_t i) {
  T element{};
  type_of<T>().read(&element, value, reading.below(std::to_string(i), value.line));
  return element;
}

template <class T>
class VectorType : public Type {
 public:
  using Element = typename T::value_type;

  std::string name() const override { return "list of " + type_of<Element>().name(); }
  Form form() const override { return Form::list; }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* list = std::get_if<Value::List>(&value.data);
    if (!list) refuse_type(*this, value, reading);
    T all;
    all.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i)
      all.push_back(read_element<Element>((*list)[i], reading, i));
    *static_cast<T*>(object) = std::move(all);
  }
  Value write(void const* object) const override {
    Value::List list;
    for (Element const& element : *static_cast<T const*>(object))
      list.push_back(type_of<Element>().write(&element));
    return {std::move(list)};
  }
};

template <class T>
class ArrayType : public Type {
 public:
  using Element = typename T::value_type;

  std::string name() const override {
    return "list of " + std::to_string(std::tuple_size_v<T>) + " " + type_of<Element>().name();
  }
  Form form() const override { return Form::list; }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* list = std::get_if<Value::List>(&value.data);
    if (!list || list->size() != std::tuple_size_v<T>) refuse_type(*this, value, reading);
    for (std::size_t i = 0; i < list->size(); ++i)
      (*static_cast<T*>(object))[i] = read_element<Element>((*list)[i], reading, i);
  }
  Value write(void const* object) const override {
    Value::List list;
    list.reserve(std::tuple_size_v<T>);
    for (Element const& element : *static_cast<T const*>(object))
      list.push_back(type_of<Element>().write(&element));
    return {std::move(list)};
  }
};

/// Without a value: `[]` in TOML, which has no null; also `null` in YAML.
template <class T>
class OptionalType : public Type {
 public:
  using Element = typename T::value_type;

  std::string name() const override { return type_of<Element>().name(); }
  Form form() const override { return Form::optional; }
  Type const* element() const override { return &type_of<Element>(); }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* list = std::get_if<Value::List>(&value.data);
    if ((list && list->empty()) || std::holds_alternative<Null>(value.data)) {
      static_cast<T*>(object)->reset();
      return;
    }
    Element element{};
    type_of<Element>().read(&element, value, reading);
    *static_cast<T*>(object) = std::move(element);
  }
  Value write(void const* object) const override {
    auto const& optional = *static_cast<T const*>(object);
    return optional ? type_of<Element>().write(&*optional) : Value{Value::List()};
  }
};

}  // namespace tenon::internal::training
