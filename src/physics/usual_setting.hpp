// The settings of spglib that are the usual ones here.
#pragma once

namespace intertwine {

/// spglib's number of the usual setting of a space group, SpaceGroup::numbered; 0 if it has none. With spglib only.
int usual_hall_number(unsigned number);

}  // namespace intertwine
