/**
 * Where the fibres of optical switches lead, found by probing circuits on ports that nobody uses: what is known of a
 * switch, and which circuit is tried next. It knows no fabric: what a probe may touch is said from outside.
 *
 * <p>A probe is heard like any circuit, so its voice could be taken for that of a slice's circuit. A voice that was not
 * there before the probe proves no circuit of a slice, unless the installation says that the circuit is heard just
 * there. What was proved before stays proved. So a new process takes circuits of running pods for proved, though it
 * does not know what was heard before a probe that it finds. How long which voices are in doubt ({@code Trial.Phase}):
 *
 * <table>
 * <caption>What the voice of a probe holds up</caption>
 * <tr><th>situation</th><th>which voices may be the probe's</th><th>what waits</th></tr>
 * <tr><td>the probe is lit between two pods</td><td>those that came since</td><td>the loss of a circuit between the
 * same two pods may be noticed only after the probe</td></tr>
 * <tr><td>its switch goes away ({@code Unread})</td><td>those that come until all far ends were heard for
 * 10 s</td><td>circuits of slices that such a voice would prove</td></tr>
 * <tr><td>all far ends were heard meanwhile ({@code Lost})</td><td>only those, each until it goes
 * silent</td><td>nothing that is made later</td></tr>
 * <tr><td>one of these is left, or two that answer each other</td><td>that is the probe's</td><td>nothing: light is
 * missed beside it as usual. This counts only if the same process heard all far ends before the probe
 * ({@code Trial.knowsBefore}): a far end that comes back brings voices that are no probe's</td></tr>
 * <tr><td>hints say that a circuit is dark</td><td>as before</td><td>nothing: its light is missed, under the same
 * condition, because hints may be wrong</td></tr>
 * <tr><td>a far end is away meanwhile</td><td>those of the pods that its wiring joins, if that is written down; else
 * any; without end</td><td>jobs wait, and name the silent pods</td></tr>
 * <tr><td>an earlier process made the probe</td><td>any of a circuit that pods do not use yet, between the pods that
 * its wiring joins if that is written down</td><td>jobs wait until that switch is read, and say so</td></tr>
 * </table>
 */
@NullMarked
package dev.lightpath.planner.discovery;

import org.jspecify.annotations.NullMarked;
