/**
 * Transceivers of a node as modules with CMIS, on a bus over TCP. No CMIS emulator of others is to be had: the register
 * map is written from the public text of OIF-CMIS-05.2. There are the lower memory (identification, module state,
 * flags, temperature, firmware, bank and page select), page 00h (vendor, part and serial number), page 01h (what is
 * advertised), page 02h (thresholds), pages 10h and 11h (lane control, flags and monitors of bank 0), pages 20h, 24h
 * and 2Fh (monitors of bit errors), and pages B0h and B1h, which CMIS leaves to vendors: here the path selector and the
 * texts to and from the far end.
 */
@NullMarked
package dev.lightpath.sim.cmis;

import org.jspecify.annotations.NullMarked;
