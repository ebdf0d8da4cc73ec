/** Where light may be, computed from the records and the scheme alone. */
@NullMarked
package dev.lightpath.soak.oracle;

import org.jspecify.annotations.NullMarked;
