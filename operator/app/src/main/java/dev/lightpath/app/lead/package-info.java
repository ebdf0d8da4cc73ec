/** Leadership: one process at a time holds the Lease, wins a fencing epoch, and runs the planning loop under it. */
@NullMarked
package dev.lightpath.app.lead;

import org.jspecify.annotations.NullMarked;
