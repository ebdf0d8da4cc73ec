/** What the driver tells by HTTP: health, metrics, and to callers on its host the audit log and the journal. */
@NullMarked
package dev.lightpath.driver.http;

import org.jspecify.annotations.NullMarked;
