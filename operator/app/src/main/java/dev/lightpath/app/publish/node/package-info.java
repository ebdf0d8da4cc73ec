/** What Nodes say of themselves in their fabrics: conditions, and labels for schedulers that place pods by topology. */
@NullMarked
package dev.lightpath.app.publish.node;

import org.jspecify.annotations.NullMarked;
