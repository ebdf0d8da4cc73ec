/**
 * Switches with the YANG modules sonic-ocs and sonic-ocs-states, over gNMI: optical circuit switches that run SONiC.
 *
 * <p>What is taken from where: paths, names and states from the public sources {@code sonic-ocs-states.yang} (revision
 * 2024-11-21) of {@code sonic-ocs/sonic-buildimage} and the tree of {@code sonic-ocs} in the high-level design "OCS" of
 * {@code sonic-ocs/SONiC}; the first name of a path with its module, and values within the name of their node, from the
 * examples of gNMI in {@code sonic-net/sonic-telemetry}; the component "System Eeprom" from SONiC's
 * openconfig-platform. The tables of states of the module {@code sonic-ocs} of {@code sonic-molex/sonic-buildimage}
 * (revision 2024-11-21), and their words, from that module.
 */
@NullMarked
package dev.lightpath.driver.gnmi;

import org.jspecify.annotations.NullMarked;
