/** The types of ICMP messages to choose from (RFC 792 and RFC 1256). */
export const icmpTypes = [
  ['0', 'Echo Reply'],
  ['3', 'Destination Unreachable'],
  ['5', 'Redirect Message'],
  ['8', 'Echo Request'],
  ['9', 'Router Advertisement'],
  ['10', 'Router Solicitation'],
  ['11', 'Time Exceeded'],
  ['12', 'Parameter Problem'],
  ['13', 'Timestamp Request'],
  ['14', 'Timestamp Reply'],
].map(([value = '', label]) => ({ value, label: `${value} - ${label}`, selectedLabel: value }))
