/** What each field of each spec does. */
@org.jspecify.annotations.NullMarked
package dev.lightpath.app.fields;
