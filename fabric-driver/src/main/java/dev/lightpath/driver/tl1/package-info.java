/**
 * Switches that speak TL1 (Telcordia GR-831), with the commands of Polatis or of Calient.
 *
 * <p>Words of Polatis ({@code ENT-PATCH}, {@code DLT-PATCH}, {@code RTRV-PATCH}) are those of the public client
 * {@code QualiSystems/cloudshell-L1-polatis}.
 *
 * <p>Words of Calient are those of public clients. From {@code QualiSystems/cloudshell-L1-calient}: {@code RTRV-NE} and
 * its fields, {@code RTRV-PORT::0}, {@code RTRV-PORT-SUM}, the fields of {@code RTRV-CRS} up to {@code CONNTYPE}, and
 * how a connection is entered, activated, cancelled and deleted with its group. From the Calient plug-in of G2MPLS
 * (project PHOSPHORUS): the states {@code AS}, {@code OS} and {@code OC}, with {@code IS}, {@code IS}, {@code OK} of
 * one that carries light and {@code UMA} of one that is entered only, and that a device answers an activation before
 * the light is there. From clients of the model S320: {@code INPWR} of {@code RTRV-PORT-SUM}, and names such as
 * {@code 1.1.1>1.1.2}.
 *
 * <p>Assumed, for no public text says it: {@code RTRV-PORT-SUM::0} tells all ports of an S320 as it does of its
 * predecessor, any other word than {@code OK} in {@code OC} is a failure, alarms come as {@code REPT ALM} of GR-833,
 * and a connection is deleted only after it was cancelled.
 */
@NullMarked
package dev.lightpath.driver.tl1;

import org.jspecify.annotations.NullMarked;
