// Weight tables made ready for numbers.
#include "intertwine/numeric/prepared_table.hpp"

#include <mutex>

namespace intertwine {

struct PreparedTable::Data {
  Data(WeightBlock t, const Task& task) : table(std::move(t)), weights(table.weights, task), bias(table.bias, task) {}
  WeightBlock table;
  PreparedPattern weights, bias;
  mutable std::once_flag isotypic_once, digest_once;
  mutable std::optional<IsotypicMap> isotypic;
  mutable std::string sha256;
};

PreparedTable::PreparedTable(WeightBlock table, const Task& task)
    : data_(std::make_shared<const Data>(std::move(table), task)) {}

const WeightBlock& PreparedTable::table() const { return data_->table; }
const PreparedPattern& PreparedTable::weights() const { return data_->weights; }
const PreparedPattern& PreparedTable::bias() const { return data_->bias; }

const std::optional<IsotypicMap>& PreparedTable::isotypic() const {
  std::call_once(data_->isotypic_once, [&] {
    if (data_->table.isotypic) data_->isotypic.emplace(data_->weights, IsotypicDecomposition(*data_->table.isotypic));
  });
  return data_->isotypic;
}

const std::string& PreparedTable::sha256() const {
  std::call_once(data_->digest_once, [&] { data_->sha256 = digest(data_->table); });
  return data_->sha256;
}

}  // namespace intertwine
