/** Sentences about the operations of the network outside of the racks. */
export const ofNetworking = {
  networkingAddressLotList: 'List address lots.',
  networkingAddressLotCreate:
    'Create an address lot. One of that name keeps its kind and description, and gets the blocks that it lacks.',
  networkingAddressLotView: 'Show an address lot with its blocks.',
  networkingAddressLotDelete: 'Delete an address lot. None of its addresses may be in use.',
  networkingAddressLotBlockList: 'List the blocks of an address lot.',
  networkingLoopbackAddressList: 'List the loopback addresses of switches.',
  networkingLoopbackAddressCreate: 'Give a switch a loopback address from an address lot.',
  networkingLoopbackAddressDelete: 'Take a loopback address from a switch.',
  networkingAllowListView: 'Show the source addresses that the API and the console accept requests from.',
  networkingAllowListUpdate:
    'Set the source addresses that the API and the console accept requests from. The address of the caller must be one of them.',
  networkingAllowListConfirm:
    'Confirm the allow list that was set last. Without that, one with a time to confirm it is rolled back.',
  networkingAllowListRollBack:
    'Make the former allow list count again at once, while the one that was set last waits to be confirmed.',
  networkingAllowListPreview:
    'Preview which networks an allow list would add and remove. It changes nothing.',
  networkingInboundIcmpView: 'Show whether the addresses of the control plane answer pings.',
  networkingInboundIcmpUpdate: 'Set whether the addresses of the control plane answer pings.',
  networkingBgpConfigList: 'List BGP configurations.',
  networkingBgpConfigCreate:
    'Create a BGP configuration. An autonomous system has one; the same one may be sent again.',
  networkingBgpConfigUpdate:
    'Update a BGP configuration. The switches whose peers use it get the change. Absent fields keep their value.',
  networkingBgpConfigDelete: 'Delete a BGP configuration. No settings of switch ports may use it.',
  networkingBgpAnnounceSetList: 'List BGP announce sets.',
  networkingBgpAnnounceSetUpdate:
    'Create a BGP announce set, or replace the one of that name with all its networks.',
  networkingBgpAnnounceSetDelete: 'Delete a BGP announce set. No BGP configuration may use it.',
  networkingBgpAnnouncementList: 'List the networks of a BGP announce set.',
  networkingSwitchChangeView: 'Show when settings of switches are rolled back unless they are confirmed.',
  networkingSwitchChangeConfirm:
    'Confirm the settings of switches. Without that, changes with a time to confirm them are rolled back.',
  networkingSwitchChangeRollBack:
    'Roll back the settings of switches at once, while changes of them wait to be confirmed.',
  networkingSwitchChangePreview:
    'Preview which settings of switches a change would add and remove. It changes nothing.',
  networkingBfdEnable: 'Start a BFD session (RFC 5880) of a switch with a peer, with which it may have one.',
  networkingBfdDisable: 'End the BFD session of a switch with a peer.',
  networkingSwitchPortSettingsList: 'List settings of switch ports.',
  networkingSwitchPortSettingsCreate:
    'Create settings of switch ports, or replace those of that name, on the ports that have them too.',
  networkingSwitchPortSettingsView: 'Show settings of switch ports. Keys of BGP peers are never shown.',
  networkingSwitchPortSettingsDelete: 'Delete settings of switch ports. No port may have them.',
  networkingSwitchPortLldpConfigView: 'Show how the link of a port is discovered by its neighbors (LLDP).',
  networkingSwitchPortLldpConfigUpdate:
    'Set how the link of a port is discovered by its neighbors (LLDP). It changes the settings that the port has.',
  networkingBgpStatus: 'Show the BGP sessions of the switches. Switches that do not answer are left out.',
  networkingBgpExported: 'Show the networks that the switches announce to each BGP peer.',
  networkingBgpImportedRoutesIpv4: 'Show the routes that an autonomous system has from its BGP peers.',
  networkingBgpMessageHistory: 'Show the latest BGP messages of an autonomous system, by switch and peer.',
  networkingBfdStatus: 'Show the BFD sessions of the switches.',
  networkingSwitchPortLldpNeighbors: 'List the neighbors that the links of a port have heard (LLDP).',
  networkingSwitchPortList: 'List the ports of the switches.',
  networkingSwitchPortStatus: 'Show the state of the link of a port, and what its module measures.',
  networkingSwitchPortApplySettings: 'Apply stored settings to a port of a switch.',
  networkingSwitchPortClearSettings: 'Clear the settings of a port of a switch.',
}
