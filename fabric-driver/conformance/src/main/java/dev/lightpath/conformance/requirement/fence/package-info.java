/** Who may write: epochs, roles and scopes. */
@NullMarked
package dev.lightpath.conformance.requirement.fence;

import org.jspecify.annotations.NullMarked;
