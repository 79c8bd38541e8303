package org.azuremail.content;

/**
 * The text that an author wrote, from which the HTML is rendered.
 *
 * @param written Markdown, or a piece of HTML
 */
public record Source(String written, boolean markdown, Layout layout) {}
